"""`python -m scripts.upkeep.screenshot`: the picture of the explorer in the README, taken by headless Chromium."""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from urllib.request import Request, urlopen

BROWSERS = ("chromium", "google-chrome", "chrome")
POSITION = "444433351225255"
"""A win by an odd threat, with a proof to show."""
WAIT_MILLISECONDS = 60_000
"""Of the page's own clock, which runs as fast as the page has nothing to do."""


def main() -> int:
    """Start a server, take the picture, end the server; gives 1 if there is no browser or no picture."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("docs/explorer.png"), help="the file to write")
    parser.add_argument("--pos", default=POSITION, help="the game that is shown")
    parser.add_argument("--size", default="1280,1090", metavar="WIDTH,HEIGHT", help="the size of the window")
    parser.add_argument("--dark", action="store_true", help="as those see it who prefer dark pages")
    options = parser.parse_args()
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    if browser is None:
        print(f"there is no browser; one of these is needed: {', '.join(BROWSERS)}", file=sys.stderr)
        return 1
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        command = [sys.executable, "-m", "claimeven", "serve", "--port", "0", "--db", f"{folder}/store.db", "--write"]
        server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        try:
            assert server.stdout is not None
            address = server.stdout.readline().strip()
            _find_all(address, options.pos)
            return _take(browser, f"{address}?pos={options.pos}&show=proof", options)
        finally:
            server.terminate()
            server.wait()


def _find_all(address: str, game: str) -> None:
    """Have all that the page will ask for found and stored, as the browser does not wait for a search."""
    lines = "\n".join(json.dumps(game[:ply]) for ply in range(len(game) + 1))
    for request in (f"{address}analyze?pos={game}", Request(f"{address}solve", lines.encode())):
        with urlopen(request) as response:
            response.read()


def _take(browser: str, address: str, options: argparse.Namespace) -> int:
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        flags = ["--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", f"--user-data-dir={profile}"]
        flags += ["--blink-settings=preferredColorScheme=0"] if options.dark else []
        picture = [f"--screenshot={options.out.resolve()}", f"--window-size={options.size}"]
        wait = [f"--virtual-time-budget={WAIT_MILLISECONDS}"]
        result = subprocess.run(
            [browser, *flags, *picture, *wait, address], capture_output=True, text=True, check=False
        )
    if result.returncode or not options.out.exists():
        print(result.stderr, file=sys.stderr)
        return 1
    print(options.out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
