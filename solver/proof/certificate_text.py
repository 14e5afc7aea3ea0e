"""A certificate as a short text, a token for the win condition and one for every instance.

`CLa1a2 BEa4a5b4b5/a4b4c4d4` is a Claimeven and a Before with its group; `OTa3/a3b3c3d3` an odd threat at a3, and
`TCa5b5b4/...` a threat combination: crossing square, odd square, even square, odd group, even group. Whose proof it is
follows from the side to move.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from claimeven.solver.board import Board, Square
from claimeven.solver.position import Position
from claimeven.solver.proof.certificate import Certificate, CertificateError, OddThreat, ThreatCombination, WinCondition
from claimeven.solver.rules.rule import Rule, RuleInstance

RULE_CODES = dict(zip(Rule, ("CL", "BI", "VE", "AE", "LI", "HI", "BC", "BE", "SB"), strict=True))
_RULES = {code: rule for rule, code in RULE_CODES.items()}
_TOKEN = re.compile(r"([A-Z]{2})((?:[a-z]+[0-9]+)*)((?:/(?:[a-z]+[0-9]+)*)*)")


def write_certificate(certificate: Certificate) -> str:
    """The certificate without its position."""
    board = certificate.position.board

    def names(squares: Iterable[Square]) -> str:
        return "".join(board.names(squares))

    tokens = []
    match certificate.win_condition:
        case OddThreat(group, square):
            tokens.append(f"OT{names([square])}/{names(group)}")
        case ThreatCombination(odd_group, even_group, crossing, odd, even):
            tokens.append(f"TC{names([crossing, odd, even])}/{names(odd_group)}/{names(even_group)}")
        case None:
            pass
    for instance in certificate.instances:
        group_text = "" if instance.group is None else f"/{names(instance.group)}"
        tokens.append(f"{RULE_CODES[instance.rule]}{names(instance.squares)}{group_text}")
    return " ".join(tokens)


def read_certificate(position: Position, text: str) -> Certificate:
    """The certificate that `write_certificate` wrote; raises CertificateError if the text is none."""
    condition: WinCondition | None = None
    instances = []
    for token in text.split():
        code, squares, groups = _read_token(position.board, token)
        match code, squares, groups:
            case "OT", (square,), (group,):
                condition = OddThreat(group, square)
            case "TC", (crossing, odd, even), (odd_group, even_group):
                condition = ThreatCombination(odd_group, even_group, crossing, odd, even)
            case rule, _, () | (_,) if rule in _RULES:
                instances.append(RuleInstance(_RULES[rule], squares, groups[0] if groups else None))
            case _:
                raise CertificateError(f"{token!r} is neither a win condition nor a rule instance")
    return Certificate(position, position.to_move.opponent, condition, tuple(instances))


def proves_win(text: str) -> bool:
    """Whether a Black certificate holds an Aftereven and so proves more than a draw."""
    return any(token.startswith(RULE_CODES[Rule.AFTEREVEN]) for token in text.split())


def mirror_certificate(certificate: Certificate) -> Certificate:
    """The same proof seen from behind the board."""
    mirror_square = certificate.position.board.mirror_square

    def mirror(squares: tuple[Square, ...]) -> tuple[Square, ...]:
        return tuple(map(mirror_square, squares))

    def mirror_group(group: tuple[Square, ...]) -> tuple[Square, ...]:
        return tuple(sorted(mirror(group)))

    condition: WinCondition | None = None
    match certificate.win_condition:
        case OddThreat(group, square):
            condition = OddThreat(mirror_group(group), mirror_square(square))
        case ThreatCombination(odd_group, even_group, crossing, odd, even):
            condition = ThreatCombination(
                mirror_group(odd_group), mirror_group(even_group), *mirror((crossing, odd, even))
            )
        case None:
            pass
    return Certificate(
        certificate.position.mirror(),
        certificate.controller,
        condition,
        tuple(
            RuleInstance(
                instance.rule,
                mirror(instance.squares),
                None if instance.group is None else mirror_group(instance.group),
            )
            for instance in certificate.instances
        ),
    )


def orient_certificate(certificate: Certificate, position: Position) -> Certificate:
    """The certificate for a position that is its own or the mirror image of it."""
    return certificate if certificate.position == position else mirror_certificate(certificate)


def canonical_position(position: Position) -> Position:
    """The one of a position and its mirror image whose key is the canonical one."""
    return position if position.key == position.canonical_key else position.mirror()


def _read_token(board: Board, token: str) -> tuple[str, tuple[Square, ...], tuple[tuple[Square, ...], ...]]:
    match = _TOKEN.fullmatch(token)
    if match is None:
        raise CertificateError(f"{token!r} is not a part of a certificate")
    code, squares, groups = match.groups()
    return (
        code,
        _read_squares(board, squares),
        tuple(_read_squares(board, group) for group in groups.split("/")[1:]),
    )


def _read_squares(board: Board, text: str) -> tuple[Square, ...]:
    try:
        return tuple(board.find_square(name) for name in re.findall("[a-z]+[0-9]+", text))
    except ValueError as error:
        raise CertificateError(str(error)) from None
