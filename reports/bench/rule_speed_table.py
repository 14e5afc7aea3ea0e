"""The table of the rules' speed, in Markdown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from claimeven.reports.bench.rule_speed import RuleSpeed


def format_rule_speeds(speeds: Sequence[RuleSpeed], run: Mapping[str, str]) -> str:
    """A page with one row a suite, and where it was measured."""
    rows = [
        "# Speed of the nine rules",
        "",
        "One core, after warm-up, best of five runs. Yardstick: the readable search on the networkx graph, same run.",
        "",
        "| suite | positions | proofs | false | evaluations/s | yardstick/s | solutions | conflicts | search | slowest "
        "| nodes, mean | nodes, most | out of budget |",
        "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    rows += [
        f"| {speed.name} | {speed.positions:,} | {speed.proofs:,} | {speed.contradictions} | {speed.per_second:,.0f} "
        f"| {speed.yardstick_per_second:,.0f} | {speed.generation_share:.0%} | {speed.conflicts_share:.0%} "
        f"| {speed.search_share:.0%} | {1000 * speed.slowest:.2f} ms | {speed.mean_nodes:.1f} | {speed.most_nodes:,} "
        f"| {speed.out_of_budget:,} |"
        for speed in speeds
    ]
    rows += ["", "What was proved: " + "; ".join(f"{speed.name} {_values(speed)}" for speed in speeds) + "."]
    rows += ["", ", ".join(f"{name} {value}" for name, value in run.items()) + "."]
    return "\n".join(rows)


def _values(speed: RuleSpeed) -> str:
    return ", ".join(f"{count} {value}" for value, count in speed.values.items())
