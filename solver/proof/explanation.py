"""A proof in words: the verdict, White's win condition, the picture, and one sentence for every chosen solution."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable

from claimeven.solver.board import Square, bits, column_name
from claimeven.solver.position import Position
from claimeven.solver.proof.certificate import Certificate, OddThreat, ThreatCombination
from claimeven.solver.proof.checker import problems_of, problems_solved_by
from claimeven.solver.proof.picture import MAX_WIDTH, draw_marks, label_solutions, threat_columns
from claimeven.solver.proof.sentences import describe_strategy, join_words, name_group, name_win_condition
from claimeven.solver.verdict import BLACK_WINS, UNDECIDED


def explain(certificate: Certificate) -> str:
    """All that is needed to follow the proof, as text; the certificate is taken to hold.

    The verdict, the win condition if any, the picture, the chosen set in Allis' notation and a sentence for each
    solution, in that order and with an empty line between them.
    """
    paragraphs = [state_verdict(certificate)]
    if certificate.win_condition is not None:
        paragraphs.append(_wrap(describe_win_condition(certificate)))
    paragraphs.append(draw_marks(certificate))
    if certificate.instances:
        paragraphs += [_list_solutions(certificate), _tell_solutions(certificate)]
    else:
        paragraphs.append(f"Chosen set: empty, as {certificate.controller.opponent} has no group left to complete.")
    return "\n\n".join(paragraphs)


def state_verdict(certificate: Certificate | None) -> str:
    """What a proof says, or that there is none, on one line.

    >>> state_verdict(None)
    'nothing proved: unknown'
    """
    if certificate is None:
        return f"nothing proved: {UNDECIDED.words}"
    reason = " (the set holds an Aftereven)" if certificate.bounds == BLACK_WINS else ""
    return certificate.bounds.words + reason


def _list_solutions(certificate: Certificate) -> str:
    labels = label_solutions(len(certificate.instances))
    width = max(map(len, labels))
    board = certificate.position.board
    solutions = zip(labels, certificate.instances, strict=True)
    return "\n".join(["Chosen set", *(f"{label:{width}}  {instance.describe(board)}" for label, instance in solutions)])


def _tell_solutions(certificate: Certificate) -> str:
    labels = label_solutions(len(certificate.instances))
    width = max(map(len, labels))
    sentences = zip(labels, describe_instances(certificate), strict=True)
    return "\n".join(
        ["How it works", *(_wrap(f"{label:{width}}  {sentence}", width + 2) for label, sentence in sentences)]
    )


def describe_instances(certificate: Certificate) -> list[str]:
    """One sentence for every instance of the set, in its order: what it does and which groups it kills."""
    position, controller = certificate.position, certificate.controller
    solved = problems_solved_by(certificate)
    return [
        f"{instance.describe(position.board)}: {describe_strategy(position, controller, instance)}; "
        f"this {describe_kills(position, solved[instance])}."
        for instance in certificate.instances
    ]


def describe_kills(position: Position, groups: Iterable[Iterable[Square]]) -> str:
    """Which groups are no longer a problem, each with all its squares.

    >>> describe_kills(Position.start(), [(0, 7, 14, 21)])
    'kills one group: a1-b1-c1-d1'
    """
    names = [name_group(position, group) for group in groups]
    if not names:
        return "kills no group"
    number = "one group" if len(names) == 1 else f"{len(names)} groups"
    return f"kills {number}: {', '.join(names)}"


def describe_win_condition(certificate: Certificate) -> str:
    """White's win condition, how it wins, and which groups it kills; raises ValueError if there is none."""
    match certificate.win_condition:
        case OddThreat() as threat:
            words = _describe_odd_threat(certificate, threat)
        case ThreatCombination() as combination:
            words = _describe_threat_combination(certificate, combination)
        case None:
            raise ValueError("the certificate has no win condition")
    return f"{words} The win condition {describe_kills(certificate.position, _killed_by_win_condition(certificate))}."


def _describe_odd_threat(certificate: Certificate, threat: OddThreat) -> str:
    position = certificate.position
    board = position.board
    square, column = board.name(threat.square), board.column_of(threat.square)
    empty = position.empty & board.column_squares(column)
    below = empty & ((1 << threat.square) - 1)
    evens = list(bits(below & ~board.odd_squares))
    lost = empty & ~below | empty & board.odd_squares & ~position.playable
    if len(evens) == 1:
        answers, them = f"it with {square}", board.name(evens[0])
    else:
        answers, them = join_words([f"{board.name(even)} with {board.name(even + 1)}" for even in evens]), "them"
    return (
        f"Win condition: {name_win_condition(board, threat)}. White lacks only {square} for "
        f"{name_group(position, threat.group)}, leaves {join_words(board.names(evens))} to Black and answers "
        f"{answers}; Black has to play {them} in the end. No solution uses column {column_name(column)}, where Black "
        f"never gets {join_words(board.names(lost), 'or')}."
    )


def _describe_threat_combination(certificate: Certificate, combination: ThreatCombination) -> str:
    position = certificate.position
    board = position.board
    crossing, odd, even = board.names((combination.crossing, combination.odd, combination.even))
    columns = join_words([column_name(column) for column in threat_columns(board, combination)])
    direction = "above" if combination.even > combination.odd else "below"
    return (
        f"Win condition: {name_win_condition(board, combination)}. White lacks only {crossing} and {odd} for "
        f"{name_group(position, combination.odd_group)}, and only {crossing} and {even}, directly {direction} {odd}, "
        f"for {name_group(position, combination.even_group)}. No solution uses columns {columns}: Black has to play "
        f"there in the end, and White completes one of the two."
    )


def _killed_by_win_condition(certificate: Certificate) -> list[tuple[Square, ...]]:
    """Black's open groups that are no problem any more once White has the win condition."""
    position = certificate.position
    left = {frozenset(problem) for problem in problems_of(certificate)}
    open_groups = (tuple(bits(group)) for group in position.board.groups if not group & position.white)
    return [group for group in open_groups if frozenset(group) not in left]


def _wrap(text: str, hanging: int = 0) -> str:
    return textwrap.fill(
        text, MAX_WIDTH, subsequent_indent=" " * hanging, break_long_words=False, break_on_hyphens=False
    )
