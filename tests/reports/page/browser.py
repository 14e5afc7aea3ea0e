"""A real browser for the tests of the page: headless Chromium, driven by selenium, with nothing to download."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--force-prefers-reduced-motion",  # a click that scrolls has arrived when it is done
    "--window-size=1200,1000",
)


@contextmanager
def open_browser() -> Iterator[Any]:
    """A browser with a new, empty profile; the test is skipped where there is none."""
    chromium, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if chromium is None or driver is None:
        pytest.skip("there is no chromium with chromedriver; on Debian: apt-get install chromium chromium-driver")
    webdriver = pytest.importorskip("selenium.webdriver", reason="selenium is not installed; it is in the extra 'test'")
    with TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        options = webdriver.ChromeOptions()
        options.binary_location = chromium
        for flag in (*FLAGS, f"--user-data-dir={profile}"):
            options.add_argument(flag)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        # With the paths of both programs selenium looks for neither of them, and downloads nothing.
        browser = webdriver.Chrome(options=options, service=webdriver.ChromeService(driver))
        try:
            yield browser
        finally:
            browser.quit()


def requests(browser: Any, page: str) -> set[str]:
    """The addresses that a page asked for since this was called last; the browser's own pages ask for many more."""
    messages = [json.loads(entry["message"])["message"] for entry in browser.get_log("performance")]
    sent = [message["params"] for message in messages if message["method"] == "Network.requestWillBeSent"]
    return {each["request"]["url"] for each in sent if each["documentURL"].partition("#")[0] == page}


def prefer(browser: Any, scheme: str) -> None:
    """Say that the user prefers light or dark pages."""
    feature = {"name": "prefers-color-scheme", "value": scheme}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [feature]})


def resize(browser: Any, width: int) -> None:
    """Make the page as wide as this, as on a telephone for instance."""
    size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)


def address(path: Path) -> str:
    return path.resolve().as_uri()
