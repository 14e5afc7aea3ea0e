"""What the controller does with each rule, in words: which moves he answers how, and what the opponent never gets.

Each sentence is the strategy behind the rule (Allis 1988, §6), so it can be followed at a board. The controller
*leaves* a square to the opponent when he must never play it before the opponent has.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from claimeven.solver.board import Board, Square
from claimeven.solver.position import Position, Side
from claimeven.solver.proof.certificate import OddThreat, ThreatCombination, WinCondition
from claimeven.solver.rules.rule import Rule, RuleInstance


def describe_strategy(position: Position, controller: Side, instance: RuleInstance) -> str:
    """How `controller` plays this instance and what the opponent cannot get, without a full stop at the end.

    >>> claimeven = RuleInstance(Rule.CLAIMEVEN, (0, 1))
    >>> describe_strategy(Position.start(), Side.BLACK, claimeven)
    'Black leaves a1 to White and answers it with a2, so White never gets a2'
    """
    return _SENTENCES[instance.rule](_Words(position, str(controller), str(controller.opponent)), instance)


def join_words(words: Sequence[str], last: str = "and") -> str:
    """A list as people write it.

    >>> join_words(["a1", "b1", "c1"]), join_words(["a1", "b1"], "or"), join_words(["a1"])
    ('a1, b1 and c1', 'a1 or b1', 'a1')
    """
    return f" {last} ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def name_win_condition(board: Board, condition: WinCondition) -> str:
    """A win condition by its kind and its squares.

    >>> name_win_condition(Board(), OddThreat(group=(2, 9, 16, 23), square=2))
    'the odd threat a3'
    """
    match condition:
        case OddThreat(_, square):
            return f"the odd threat {board.name(square)}"
        case ThreatCombination(_, _, crossing, odd, even):
            return f"the threat combination {join_words(board.names((crossing, odd, even)))}"


def name_group(position: Position, group: Iterable[Square]) -> str:
    """A group with all its squares, from the left and from the bottom: `a1-b1-c1-d1`."""
    return "-".join(position.board.names(sorted(group)))


@dataclass(frozen=True, slots=True)
class _Words:
    """The two sides and the squares of a sentence, by name."""

    position: Position
    controller: str
    opponent: str

    def name(self, square: Square) -> str:
        return self.position.board.name(square)

    def names(self, squares: Iterable[Square], last: str = "and") -> str:
        return join_words([self.name(square) for square in squares], last)

    def is_playable(self, square: Square) -> bool:
        return bool(self.position.playable >> square & 1)

    def answers(self, pairs: Iterable[tuple[Square, Square]]) -> str:
        """The answers to the lower squares of `pairs`: `a1 with a2 and b1 with b2`."""
        return join_words([f"{self.name(lower)} with {self.name(upper)}" for lower, upper in pairs])

    def never(self, things: Iterable[str]) -> str:
        """The end of every sentence: what the opponent never gets."""
        return f"so {self.opponent} never gets " + ", nor ".join(things)


@dataclass(frozen=True, slots=True)
class _Parts:
    """The pairs of a Before or a Specialbefore, by kind."""

    verticals: list[tuple[Square, Square]]
    claimevens: list[tuple[Square, Square]]

    @classmethod
    def of(cls, squares: Sequence[Square], group: Sequence[Square]) -> _Parts:
        pairs = _pairs(squares)
        return cls(
            verticals=[pair for pair in pairs if pair[0] in group],
            claimevens=[pair for pair in pairs if pair[0] not in group],
        )

    @property
    def successors(self) -> list[Square]:
        """The squares directly above the squares of the group, from the left."""
        return sorted([upper for _, upper in self.verticals] + [upper + 1 for _, upper in self.claimevens])


def _pairs(squares: Sequence[Square]) -> list[tuple[Square, Square]]:
    return list(zip(squares[::2], squares[1::2], strict=True))


def _claimeven(words: _Words, instance: RuleInstance) -> str:
    lower, upper = map(words.name, instance.squares)
    return f"{words.controller} leaves {lower} to {words.opponent} and answers it with {upper}, " + words.never([upper])


def _baseinverse(words: _Words, instance: RuleInstance) -> str:
    squares = words.names(instance.squares)
    return f"whichever of {squares} {words.opponent} takes, {words.controller} takes the other, " + words.never(
        ["both"]
    )


def _vertical(words: _Words, instance: RuleInstance) -> str:
    lower, upper = map(words.name, instance.squares)
    return f"if {words.opponent} plays {lower}, {words.controller} answers {upper}, " + words.never(["both"])


def _aftereven(words: _Words, instance: RuleInstance) -> str:
    pairs = _pairs(instance.squares)
    lowers, uppers = zip(*pairs, strict=True)
    answers = words.answers(pairs) if len(pairs) > 1 else f"it with {words.names(uppers)}"
    nevers = [words.names(uppers, "or")]
    if not any(words.position.board.top >> upper & 1 for upper in uppers):
        nevers.append("squares above all of them" if len(pairs) > 1 else "a square above it")
    return (
        f"{words.controller} leaves {words.names(lowers)} to {words.opponent} and answers {answers}, which completes "
        f"{_group(words, instance)}, " + words.never(nevers)
    )


def _lowinverse(words: _Words, instance: RuleInstance) -> str:
    pairs = _pairs(instance.squares)
    lowers, uppers = zip(*pairs, strict=True)
    return (
        f"{words.controller} leaves {words.names(lowers)} to {words.opponent}, answers the first of them with the "
        f"square above it and from then on the other one likewise, "
        + words.never([f"both {words.names(uppers)}", "both squares of either pair"])
    )


def _highinverse(words: _Words, instance: RuleInstance) -> str:
    first, second = instance.squares[:3], instance.squares[3:]
    (bottom_1, middle_1, top_1), (bottom_2, middle_2, top_2) = first, second
    nevers = [(top_1, top_2), (middle_1, middle_2), (middle_1, top_1), (middle_2, top_2)]
    if words.is_playable(bottom_1):
        nevers.append((bottom_1, top_2))
    if words.is_playable(bottom_2):
        nevers.append((bottom_2, top_1))
    return (
        f"{words.controller} leaves {words.names((bottom_1, bottom_2))} to {words.opponent}; "
        f"{_highinverse_case(words, first, second)}; {_highinverse_case(words, second, first)}; "
        + words.never(f"both {words.names(pair)}" for pair in nevers)
    )


def _highinverse_case(words: _Words, first: Sequence[Square], second: Sequence[Square]) -> str:
    """What the controller does once the opponent has played the bottom of the `first` column."""
    bottom, middle, top = map(words.name, first)
    case = (
        f"if {words.opponent} plays {bottom}, {words.controller} answers {middle} and later "
        f"{words.answers([(second[1], second[2])])}"
    )
    if words.is_playable(second[0]):
        case += f", and takes whichever of {top} and {words.name(second[0])} {words.opponent} does not"
    return case


def _baseclaim(words: _Words, instance: RuleInstance) -> str:
    first, second, third, above = map(words.name, instance.squares)
    white, black = words.opponent, words.controller
    return (
        f"if {white} plays {first}, {black} answers {third} and later {second} with {above}; if {white} plays {second} "
        f"or {third}, {black} takes the other of these two, and later whichever of {first} and {above} {white} does "
        f"not; " + words.never([f"both {first} and {above}", f"both {second} and {third}"])
    )


def _before(words: _Words, instance: RuleInstance) -> str:
    parts = _Parts.of(instance.squares, instance.group or ())
    lowers = [lower for lower, _ in parts.verticals]
    if len(lowers) == 1:
        escape = f"takes {words.name(lowers[0])} and loses {words.name(parts.verticals[0][1])}"
    else:
        escape = f"takes one of {words.names(lowers)} and loses the square above it"
    nevers = [_all_of(words, parts.successors)]
    if len(parts.successors) > 1:
        nevers += _nevers_of(words, parts)
    return (
        f"{_answers_of_parts(words, parts)}; {words.opponent} either {escape}, or lets {words.controller} complete "
        f"{_group(words, instance)} first, " + words.never(nevers)
    )


def _specialbefore(words: _Words, instance: RuleInstance) -> str:
    missing, other = instance.squares[:2]
    parts = _Parts.of(instance.squares[2:], instance.group or ())
    successors = sorted([*parts.successors, missing + 1])
    p, x = words.name(missing), words.name(other)
    lowers = [lower for lower, _ in parts.verticals]
    unless = ""
    if lowers:
        taken = words.names(lowers, "or")
        unless = f" unless {words.opponent} takes {taken} and loses the square above it"
    answers = f"{_answers_of_parts(words, parts)}; " if parts.verticals or parts.claimevens else ""
    return (
        f"whichever of {p} and {x} {words.opponent} takes, {words.controller} takes the other; {answers}"
        f"after {words.opponent} {x} and {words.controller} {p}, {words.controller} completes "
        f"{_group(words, instance)} before {words.opponent} has {_all_of(words, successors)}{unless}, "
        + words.never([f"both {p} and {x}", f"{x} with {_all_of(words, successors)}", *_nevers_of(words, parts)])
    )


def _answers_of_parts(words: _Words, parts: _Parts) -> str:
    answers = f"{words.controller} answers {words.answers(sorted(parts.verticals + parts.claimevens))}"
    if not parts.claimevens:
        return answers
    left = words.names(lower for lower, _ in parts.claimevens)
    return f"{words.controller} leaves {left} to {words.opponent} and{answers.removeprefix(words.controller)}"


def _nevers_of(words: _Words, parts: _Parts) -> list[str]:
    """What the parts alone keep from the opponent: both squares of a Vertical, the upper one of a Claimeven."""
    nevers = []
    if len(parts.verticals) == 1:
        nevers.append(f"both {words.names(parts.verticals[0])}")
    elif parts.verticals:
        nevers.append("both squares of any of these pairs")
    if parts.claimevens:
        nevers.append(words.names((upper for _, upper in parts.claimevens), "or"))
    return nevers


def _all_of(words: _Words, squares: Sequence[Square]) -> str:
    return f"{'all of ' if len(squares) > 2 else 'both ' if len(squares) == 2 else ''}{words.names(squares)}"


def _group(words: _Words, instance: RuleInstance) -> str:
    return name_group(words.position, instance.group or ())


_SENTENCES: dict[Rule, Callable[[_Words, RuleInstance], str]] = {
    Rule.CLAIMEVEN: _claimeven,
    Rule.BASEINVERSE: _baseinverse,
    Rule.VERTICAL: _vertical,
    Rule.AFTEREVEN: _aftereven,
    Rule.LOWINVERSE: _lowinverse,
    Rule.HIGHINVERSE: _highinverse,
    Rule.BASECLAIM: _baseclaim,
    Rule.BEFORE: _before,
    Rule.SPECIALBEFORE: _specialbefore,
}
