"""The page on search and other programs, in Markdown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from claimeven.reports.bench.agreement import Agreement


def format_agreements(agreements: Sequence[Agreement], run: Mapping[str, str]) -> str:
    """A page with one row a comparison, every disagreement, and where it was run."""
    rows = [
        "# Exact search against other programs",
        "",
        "Value and exact score of random positions; the same seed gives the same positions.",
        "",
        "| board | compared with | positions | seed | disagreements |",
        "|---|---|--:|--:|--:|",
    ]
    rows += [
        f"| {each.board} | {each.other} | {each.positions:,} | {each.seed} | {len(each.disagreements)} |"
        for each in agreements
    ]
    for each in agreements:
        rows += [f"- {item.board} {item.moves}: search {item.search}, {item.other}" for item in each.disagreements]
    rows += ["", ", ".join(f"{name} {value}" for name, value in run.items()) + "."]
    return "\n".join(rows)
