"""The page of all that audits have kept in a directory, written anew after each of them."""

from __future__ import annotations

import json
from pathlib import Path

from claimeven.solver.whole_file import write_whole


def write_page(out: Path) -> None:
    """Write soundness.md and soundness.json of all that is kept."""
    from claimeven.reports.audit.soundness import read_soundness, soundness_to_json
    from claimeven.reports.audit.soundness_table import format_soundness
    from claimeven.reports.machine import describe_run

    run = describe_run()
    soundness = read_soundness(out)
    write_whole(out / "soundness.md", format_soundness(soundness, run) + "\n")
    data = json.dumps(soundness_to_json(soundness, run), indent=1)
    write_whole(out / "soundness.json", data + "\n")
