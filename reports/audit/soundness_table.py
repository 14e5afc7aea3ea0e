"""The page on soundness, in Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from claimeven.reports.audit.campaign_file import Record
from claimeven.reports.audit.coverage import Coverage
from claimeven.reports.audit.soundness import MUTATIONS, Soundness
from claimeven.solver.audit.comparison import COLUMNS, Counts
from claimeven.solver.audit.play_outs import PlayOuts
from claimeven.solver.audit.rule_bounds import PARTS


def format_soundness(soundness: Soundness, run: Mapping[str, str]) -> str:
    """The page."""
    lines = [
        "# Soundness of the rules",
        "",
        "Every proof by the nine rules and White's win conditions against exact search that takes nothing from the",
        "rules (`Searcher(uses_rules=False)`). Random positions may repeat; whole plies are complete, one position of",
        "each mirror pair. The same seed gives the same positions and the same proofs, whatever the number of threads;",
        "which searches are too dear depends a little on what the searches before them left in the table.",
        "",
        f"**False proofs found: {soundness.contradictions:,}.**",
    ]
    if soundness.records:
        # The campaigns that look ahead try the same positions again.
        here = [record for record in soundness.records if not record.campaign.look_ahead]
        lines += ["", *_format_campaigns(soundness.records), *_format_parts(here), *_format_plies(here)]
    if soundness.play_outs:
        lines += _format_play_outs(soundness.play_outs)
    if soundness.coverage:
        lines += _format_coverage(soundness.coverage, soundness.coverage_run or {})
    if soundness.has_mutations:
        lines += [
            "",
            "## Conditions broken on purpose",
            "",
            f"Which test notices when a condition of the rules is broken is in [{MUTATIONS}]({MUTATIONS}).",
        ]
    lines += ["", "Page written by: " + _describe(run) + "."]
    return "\n".join(lines)


def _format_campaigns(records: Sequence[Record]) -> list[str]:
    lines = [
        "## Positions tried",
        "",
        "*Proved here* leaves out what is proved by looking ahead only. *Black wins* are the proofs that claim it, by",
        "an Aftereven. *Not compared* are proofs on positions whose search was too dear.",
        "",
        f"| board | kind | stones | seed | moves ahead | {' | '.join(COLUMNS)} | minutes |",
        f"|---|---|---|--:|--:|{'--:|' * len(COLUMNS)}--:|",
    ]
    for record in records:
        source, counts = record.campaign.source, record.counts
        seed = "" if source.kind == "ply" else str(source.seed)
        unfinished = "" if record.is_complete else " (not finished)"
        numbers = [counts.total(column) for column in COLUMNS]
        lines.append(
            f"| {source.board} | {_KINDS[source.kind]}{unfinished} | {source.first} to {source.last} | {seed} "
            f"| {record.campaign.look_ahead} | {' | '.join(f'{number:,}' for number in numbers)} "
            f"| {record.seconds / 60:.1f} |"
        )
    lines += ["", "To run one of them again:", ""]
    lines += [f"    {command}" for command in dict.fromkeys(record.command for record in records)]
    commits = sorted({run["commit"] for record in records for run in record.runs})
    machines = sorted({run["machine"] for record in records for run in record.runs})
    lines += ["", f"Commits: {', '.join(commits)}. Machines: {'; '.join(machines)}."]
    return lines


_KINDS = {
    "uniform": "uniform random games",
    "cautious": "games that avoid losing at once",
    "best": "near best play",
    "ply": "all positions of the plies",
}


def _format_parts(records: Sequence[Record]) -> list[str]:
    """What the proofs are made of, a column a board."""
    boards = list(dict.fromkeys(record.campaign.source.board for record in records))
    lines = [
        "",
        "## What the proofs are made of",
        "",
        "In how many of the proofs a rule or a win condition takes part; of the latter every one that proves the win",
        "counts, not only the first.",
        "",
        f"| | {' | '.join(boards)} |",
        f"|---|{'--:|' * len(boards)}",
    ]
    counts = {board: [r.counts for r in records if r.campaign.source.board == board] for board in boards}
    rows = [("proofs without looking ahead", [_sum(counts[board], "proved here") for board in boards])]
    rows += [(name, [sum(each.parts[name] for each in counts[board]) for board in boards]) for name in PARTS.values()]
    return lines + [f"| {name} | {' | '.join(f'{number:,}' for number in numbers)} |" for name, numbers in rows]


def _format_plies(records: Sequence[Record]) -> list[str]:
    lines = ["", "## By ply", ""]
    for board in dict.fromkeys(record.campaign.source.board for record in records):
        rows: dict[int, list[int]] = {}
        for record in records:
            if record.campaign.source.board == board:
                for ply, row in record.counts.plies.items():
                    sums = rows.setdefault(ply, [0] * len(COLUMNS))
                    rows[ply] = [total + row[column] for total, column in zip(sums, COLUMNS, strict=True)]
        lines += [
            f"<details><summary>{board}</summary>",
            "",
            f"| ply | {' | '.join(COLUMNS)} |",
            f"|--:|{'--:|' * len(COLUMNS)}",
            *(f"| {ply} | {' | '.join(f'{number:,}' for number in row)} |" for ply, row in sorted(rows.items())),
            "",
            "</details>",
        ]
    return lines


def _format_play_outs(play_outs: Sequence[tuple[PlayOuts, str]]) -> list[str]:
    lines = [
        "",
        "## Proofs played out",
        "",
        "Each proof is played as a strategy against every opposition; the controller must get what is claimed. *Nodes*",
        "are positions with the opponent to move; *games* are played against random opposition besides.",
        "",
        "| proofs of | positions | proofs | survived | failed | not finished | nodes | largest tree | games |",
        "|---|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for each, _ in play_outs:
        numbers = (each.positions, each.proofs, each.survived, each.failed, each.unfinished, each.nodes, each.largest)
        games = f"{each.games:,}" if each.games else ""
        lines.append(f"| {each.name} | {' | '.join(f'{number:,}' for number in numbers)} | {games} |")
    lines += ["", "What they claim:", ""]
    for each, _ in play_outs:
        lines.append(f"- {each.name}: {', '.join(f'{count:,} {kind}' for kind, count in each.kinds.items())}")
        lines += [f"  - FAILED {failure}" for failure in each.failures]
    return [*lines, "", *(f"    {command}" for command in dict.fromkeys(command for _, command in play_outs))]


def _format_coverage(coverage: Sequence[Coverage], run: Mapping[str, str]) -> list[str]:
    lines = [
        "",
        "## Coverage of the suites",
        "",
        "Positions proved; *literal* is a second implementation of the specification, which shares no code with this",
        "one, where its number is known. Looking ahead is a move of the side that profits, or its reply to every move.",
        "*Black wins* are those among the proofs, for the three columns before.",
        "",
        "| suite | positions | literal | rules | one move ahead | move and reply | Black wins | contradictions |",
        "|---|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for each in coverage:
        literal = "" if each.literal is None else f"{each.literal:,}"
        wins = ", ".join(map(str, each.black_wins))
        proved = " | ".join(f"{number:,}" for number in each.proved)
        lines.append(f"| {each.suite} | {each.positions:,} | {literal} | {proved} | {wins} | {each.contradictions} |")
    return [*lines, "", f"Measured by: {_describe(run)}."]


def _sum(counts: Iterable[Counts], column: str) -> int:
    return sum(each.total(column) for each in counts)


def _describe(run: Mapping[str, str]) -> str:
    return ", ".join(f"{name} {value}" for name, value in run.items())
