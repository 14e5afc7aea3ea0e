"""`claimeven audit replay`: a contradiction that was saved, seen again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from claimeven.scripts.audit.options import OutputSettings
from claimeven.scripts.errors import reported_as

if TYPE_CHECKING:
    from claimeven.solver.audit.contradiction import Contradiction


def replay_contradiction(path: Path, output: OutputSettings) -> bool:
    """Show a saved contradiction; whether it is still there."""
    from claimeven.solver.audit.contradiction import (
        ContradictionFileError,
        contradiction_from_json,
        contradiction_to_json,
        find_contradiction,
    )
    from claimeven.solver.audit.exact_search import ExactSearch
    from claimeven.solver.audit.rule_bounds import NineRules

    with reported_as(str(path), ContradictionFileError):
        try:
            data = json.loads(path.read_text(encoding="utf-8"))
        except (UnicodeDecodeError, json.JSONDecodeError, RecursionError):
            raise ContradictionFileError("it is not JSON") from None
        if not isinstance(data, dict) or "found" not in data or "smallest" not in data:
            raise ContradictionFileError("no audit wrote it")
        saved = {name: contradiction_from_json(data[name]) for name in ("found", "smallest")}
        campaign = data.get("campaign")
        look_ahead = campaign.get("look_ahead", 0) if isinstance(campaign, dict) else 0
        if look_ahead not in (0, 1, 2):
            raise ContradictionFileError("campaign: it looks 0, 1 or 2 moves ahead")
    rules, search = NineRules(output.threads, look_ahead), ExactSearch(output.threads)
    now = {name: find_contradiction(rules, search.value, each.position) for name, each in saved.items()}
    if output.as_json:
        click.echo(
            json.dumps({name: None if each is None else contradiction_to_json(each) for name, each in now.items()})
        )
    else:
        click.echo("\n\n".join(_show(name, each, now[name]) for name, each in saved.items()))
    return any(now.values())


def _show(name: str, saved: Contradiction, now: Contradiction | None) -> str:
    from claimeven.solver.proof.checker import find_flaws

    lines = [f"{name.capitalize()}: {saved.describe()}", "", str(saved.position), ""]
    if saved.certificate is not None:
        board = saved.position.board
        lines += [instance.describe(board) for instance in saved.certificate.instances]
        flaws = list(find_flaws(saved.certificate))
        lines += [f"the checker: {flaw}" for flaw in flaws] or ["the checker accepts the proof"]
    lines.append("Now: nothing false is proved here." if now is None else f"Now: {now.describe()}")
    return "\n".join(lines)
