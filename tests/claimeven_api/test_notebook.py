"""The notebook runs and shows what it was committed with; `python -m scripts.upkeep.notebook` makes it anew."""

from __future__ import annotations

from typing import Any

import nbformat
from nbclient import NotebookClient

from claimeven.scripts.upkeep.notebook import TOUR


def outputs(notebook: Any) -> list[dict[str, str]]:
    """What the cells show, but for plots, which depend on fonts."""
    return [
        {"text": output.text} if output.output_type == "stream" else {**output.data, "image/png": ""}
        for cell in notebook.cells
        for output in cell.outputs
    ]


def test_the_tour_shows_what_it_was_committed_with() -> None:
    notebook = nbformat.reads(TOUR.read_text(encoding="utf-8"), as_version=4)  # type: ignore[no-untyped-call]
    committed = outputs(notebook)
    assert len(notebook.cells) == 5
    NotebookClient(notebook, timeout=300, kernel_name="python3").execute()
    assert outputs(notebook) == committed
    assert sum("image/svg+xml" in output for output in committed) == 2
