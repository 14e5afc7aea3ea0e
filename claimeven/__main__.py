"""`python -m claimeven`, and the script `claimeven`: the command, which ends in one line without memory for it too."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from typing import NoReturn

from claimeven.scripts.memory import TOO_LITTLE, ask_for_room, is_out_of_memory


def main() -> None:
    """Run the command."""
    ask_for_room()
    try:
        from claimeven.scripts.main import main as run

        run()
    except SystemExit as ending:
        if isinstance(ending.code, int) and is_out_of_memory(ending):
            _leave(ending.code)
        raise
    except Exception as error:
        if not is_out_of_memory(error):
            raise
        with suppress(OSError):
            os.write(2, f"Error: {TOO_LITTLE}\n".encode())
        _leave(1)


def _leave(status: int) -> NoReturn:
    """End the process, as everything that had to be done is done and without memory Python ends in tracebacks."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError, AttributeError, MemoryError):
            stream.flush()
    os._exit(status)


if __name__ == "__main__":
    main()
