"""The type of an option that names a directory to write into: it is made if it is not there."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click


class OutDirectory(click.Path):
    """A directory, made with its parents if it is not there."""

    def __init__(self) -> None:
        super().__init__(file_okay=False, path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        directory = super().convert(value, param, ctx)
        assert isinstance(directory, Path)  # as path_type says
        try:
            directory.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            self.fail(f"{directory}: it cannot be made ({error.strerror})", param, ctx)
        return directory
