"""A proof as a value: what is proved, White's win condition if any, and the chosen rule instances."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from claimeven.solver.board import Bitboard, Board, BoardError, Square, bits
from claimeven.solver.position import Position, Side
from claimeven.solver.rules.rule import Rule, RuleInstance
from claimeven.solver.verdict import AT_MOST_DRAW, BLACK_WINS, WHITE_WINS, Bounds


class CertificateError(ValueError):
    """Something that cannot be read as a certificate, or one that does not hold.

    >>> try:
    ...     certificate_from_json(Position.start(), {"solutions": [{"rule": "Oddclaim", "squares": ["a1"]}]})
    ... except CertificateError as error:
    ...     print(error)
    solution 1: unknown rule 'Oddclaim'
    """


class FalseProofError(RuntimeError):
    """A proof of our own that the independent checker refuses: a bug, and nothing to be shown."""


@dataclass(frozen=True, slots=True)
class OddThreat:
    """Three White stones of `group` and the empty odd `square` (Allis 1988, §8.2)."""

    group: tuple[Square, ...]
    square: Square


@dataclass(frozen=True, slots=True)
class ThreatCombination:
    """Two White groups that cross (Allis 1988, §8.4): `odd_group` needs `crossing` and `odd`, `even_group`
    needs `crossing` and `even`, which is directly above or directly below `odd`."""

    odd_group: tuple[Square, ...]
    even_group: tuple[Square, ...]
    crossing: Square
    odd: Square
    even: Square


WinCondition: TypeAlias = OddThreat | ThreatCombination


@dataclass(frozen=True, slots=True)
class Certificate:
    """Bounds on the value of a position, with everything that is needed to check them.

    `controller` is the side that the proof is for; it is never the side to move.
    """

    position: Position
    controller: Side
    win_condition: WinCondition | None
    instances: tuple[RuleInstance, ...]

    @property
    def has_aftereven(self) -> bool:
        """Whether the set holds an Aftereven, with which Black does not only draw but win (Allis 1988, §9.2)."""
        return any(instance.rule is Rule.AFTEREVEN for instance in self.instances)

    @property
    def bounds(self) -> Bounds:
        """What the certificate says of the position: WHITE_WINS, BLACK_WINS or AT_MOST_DRAW."""
        if self.controller is Side.WHITE:
            return WHITE_WINS
        return BLACK_WINS if self.has_aftereven else AT_MOST_DRAW


def certificate_to_json(certificate: Certificate) -> dict[str, Any]:
    """The `proof` object of the JSON output: `win_condition` and `solutions`, all squares by name."""
    names = certificate.position.board.names
    condition: dict[str, Any] | None
    match certificate.win_condition:
        case None:
            condition = None
        case OddThreat(group, square):
            condition = {"kind": "odd threat", "group": names(group), "square": names([square])[0]}
        case ThreatCombination(odd_group, even_group, crossing, odd, even):
            condition = {
                "kind": "threat combination",
                "odd_group": names(odd_group),
                "even_group": names(even_group),
                "crossing": names([crossing])[0],
                "odd": names([odd])[0],
                "even": names([even])[0],
            }
    solutions: list[dict[str, Any]] = []
    for instance in certificate.instances:
        solution: dict[str, Any] = {"rule": str(instance.rule), "squares": names(instance.squares)}
        if instance.group is not None:
            solution["group"] = names(instance.group)
        solutions.append(solution)
    return {"controller": certificate.controller.value, "win_condition": condition, "solutions": solutions}


def certificate_from_json(position: Position, data: object) -> Certificate:
    """The certificate that `certificate_to_json` wrote; raises CertificateError, naming the place.

    A group may be left out where the squares of the instance leave only one possibility, as in the sets
    that the thesis prints.
    """
    proof = _mapping(data, "the proof")
    side = proof.get("controller", position.to_move.opponent.value)
    if side not in [each.value for each in Side]:
        raise CertificateError(f"controller: {side!r} is neither white nor black")
    listed = proof.get("solutions")
    if not isinstance(listed, list):
        raise CertificateError("solutions: not a list")
    return Certificate(
        position=position,
        controller=Side(side),
        win_condition=_win_condition(position.board, proof.get("win_condition")),
        instances=tuple(
            _instance(position, Side(side), item, f"solution {number}") for number, item in enumerate(listed, start=1)
        ),
    )


def _win_condition(board: Board, data: object) -> WinCondition | None:
    if data is None:
        return None
    place = "win_condition"
    condition = _mapping(data, place)
    match condition.get("kind"):
        case "odd threat":
            return OddThreat(
                _squares(board, condition.get("group"), place), _square(board, condition.get("square"), place)
            )
        case "threat combination":
            return ThreatCombination(
                _squares(board, condition.get("odd_group"), place),
                _squares(board, condition.get("even_group"), place),
                *(_square(board, condition.get(name), place) for name in ("crossing", "odd", "even")),
            )
        case kind:
            raise CertificateError(f"{place}: unknown kind {kind!r}")


def _instance(position: Position, controller: Side, data: object, place: str) -> RuleInstance:
    item = _mapping(data, place)
    names = {str(rule): rule for rule in Rule}
    rule = names.get(str(item.get("rule")))
    if rule is None:
        raise CertificateError(f"{place}: unknown rule {item.get('rule')!r}")
    squares = _squares(position.board, item.get("squares"), place)
    group: tuple[Square, ...] | None = None
    if item.get("group") is not None:
        group = _squares(position.board, item["group"], place)
    elif rule.has_group:
        group = _only_group(position, controller, rule, squares, place)
    return RuleInstance(rule, squares, group)


def _only_group(
    position: Position, controller: Side, rule: Rule, squares: tuple[Square, ...], place: str
) -> tuple[Square, ...]:
    """The one group of the controller's whose empty squares take one square of each part.

    Only an even square can be the upper one of its part; an Aftereven has no other parts, a Before at least one.
    """
    board = position.board
    if rule is Rule.SPECIALBEFORE:
        parts, single = squares[2:], squares[:1]
    else:
        parts, single = squares, ()
    pairs: list[Bitboard] = [1 << a | 1 << b for a, b in zip(parts[::2], parts[1::2], strict=False)]
    wanted = [*pairs, *(1 << square for square in single)]
    lowers, uppers = (sum(1 << square for square in set(parts[start::2])) for start in (0, 1))
    fitting = [
        group
        for group in board.groups
        if not group & position.stones(controller.opponent)
        and not group & group << 1  # vertical
        and all((group & pair).bit_count() == 1 for pair in wanted)
        and (group & position.empty).bit_count() == len(wanted)
        and not group & uppers & board.odd_squares
        and (rule is not Rule.AFTEREVEN or not group & lowers)
        and (rule is not Rule.BEFORE or group & lowers)
    ]
    if len(fitting) != 1:
        raise CertificateError(f"{place}: {len(fitting)} groups fit this {rule}; name one as 'group'")
    return tuple(bits(fitting[0]))


def _mapping(data: object, place: str) -> Mapping[str, Any]:
    if not isinstance(data, Mapping):
        raise CertificateError(f"{place}: not an object")
    return data


def _squares(board: Board, data: object, place: str) -> tuple[Square, ...]:
    if not isinstance(data, list | tuple):
        raise CertificateError(f"{place}: {data!r} is not a list of squares")
    return tuple(_square(board, name, place) for name in data)


def _square(board: Board, data: object, place: str) -> Square:
    if not isinstance(data, str):
        raise CertificateError(f"{place}: {data!r} is not a square")
    try:
        return board.find_square(data)
    except BoardError as error:
        raise CertificateError(f"{place}: {error}") from None
