"""`python -m scripts.upkeep.notebook`: run the notebook of the documentation anew and keep what it shows."""

from __future__ import annotations

import sys
from pathlib import Path

TOUR = Path(__file__).resolve().parents[2] / "docs" / "tour.ipynb"


def main() -> int:
    """Run all cells and write the file; an error in a cell is raised and leaves the file alone."""
    import nbformat
    from nbclient import NotebookClient

    notebook = nbformat.reads(TOUR.read_text(encoding="utf-8"), as_version=4)  # type: ignore[no-untyped-call]
    NotebookClient(notebook, timeout=300, kernel_name="python3").execute()
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)  # when it was run, which changes every time
    nbformat.write(notebook, TOUR)  # type: ignore[no-untyped-call]
    return 0


if __name__ == "__main__":
    sys.exit(main())
