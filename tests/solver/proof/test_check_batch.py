"""The checker on arrays accepts exactly what the checker in Python accepts, whatever it is given."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import combinations, permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from claimeven.solver.board import Board
from claimeven.solver.notation import board_text
from claimeven.solver.position import Position
from claimeven.solver.proof.certificate import CertificateError
from claimeven.solver.proof.certificate_text import RULE_CODES, read_certificate, write_certificate
from claimeven.solver.proof.check_batch import check_many
from claimeven.solver.proof.checker import find_flaws
from claimeven.solver.proof.listing import list_solutions
from claimeven.solver.proof.proof_batch import prove_many
from claimeven.solver.verdict import AT_MOST_DRAW, BLACK_WINS, UNDECIDED, Bounds
from tests.positions import at, random_positions
from tests.solver.proof.certificates import SAMPLES

Case = tuple[Position, bytes]

BOARDS = {
    "7x6": 1500,
    "6x6": 400,
    "8x6": 300,
    "6x8": 300,
    "7x4": 400,
    "4x6": 300,
    "5x4": 300,
    "5x4x3": 800,
    "6x6x5": 200,
}


def reference(position: Position, text: bytes) -> Bounds:
    """What the certificate proves, by the checker in Python."""
    try:
        certificate = read_certificate(position, text.decode("ascii"))
    except (CertificateError, UnicodeDecodeError):
        return UNDECIDED
    return UNDECIDED if next(find_flaws(certificate), None) else certificate.bounds


def stones(cases: Sequence[Case]) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    white, black = ([position.white for position, _ in cases], [position.black for position, _ in cases])
    return np.array(white, np.uint64), np.array(black, np.uint64)


def texts(cases: Sequence[Case]) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """The texts one behind the other, and where each begins."""
    offsets = np.cumsum([0, *(len(text) for _, text in cases)], dtype=np.int64)
    return np.frombuffer(b"".join(text for _, text in cases), np.uint8), offsets


def assert_agreement(cases: Sequence[Case]) -> int:
    """Both checkers say the same of every case; how many they accept."""
    accepted = 0
    for board in {position.board for position, _ in cases}:
        chosen = [case for case in cases if case[0].board == board]
        checked = check_many(board, *stones(chosen), *texts(chosen))
        for number, (position, written) in enumerate(chosen):
            bounds = reference(position, written)
            ranks = bounds.least.rank, bounds.greatest.rank
            assert (checked.least[number], checked.greatest[number]) == ranks, (str(board), str(position), written)
        accepted += int(checked.is_accepted.sum())
    return accepted


@cache
def proved(board: str) -> list[Case]:
    """Positions of random games, with the certificates of their proofs."""
    cells = Board.parse(board).cells
    positions = list(random_positions(board, BOARDS[board], seed=8, least_ply=cells // 3))
    batch = prove_many(Board.parse(board), *stones([(position, b"") for position in positions]))
    written = map(batch.certificate_text, range(len(batch)))
    found = [(position, text.encode()) for position, text in zip(positions, written, strict=True) if text is not None]
    samples = [
        (sample.position, write_certificate(sample).encode())
        for sample in SAMPLES.values()
        if str(sample.position.board) == board
    ]
    return found + samples


@pytest.mark.parametrize("board", BOARDS)
def test_every_proof_is_accepted(board: str) -> None:
    assert assert_agreement(proved(board)) == len(proved(board)) > 4


def test_there_is_something_of_everything() -> None:
    written = b" ".join(text for board in BOARDS for _, text in proved(board)).decode()
    assert {token[:2] for token in written.split()} == {*RULE_CODES.values(), "OT", "TC"}


def test_the_samples() -> None:
    assert assert_agreement([(sample.position, write_certificate(sample).encode()) for sample in SAMPLES.values()])


def test_afterevens() -> None:
    """An Aftereven makes a draw a win, and need not solve anything for that."""
    position = at("7522745647553215577666223213136461")
    cases = [(position, text) for text in (b"CLd5d6 AEa5a6/a6b5c4d3", b"CLd5d6")]
    cases.append((SAMPLES["Afterevens"].position, write_certificate(SAMPLES["Afterevens"]).encode()))
    assert [reference(*case) for case in cases] == [BLACK_WINS, AT_MOST_DRAW, BLACK_WINS]
    assert assert_agreement(cases) == 3


# What may happen to a certificate, each made of its tokens, its position and all the others of the board.
Damage = Callable[[random.Random, Position, list[str], list[Case]], str]


def random_square(chance: random.Random, board: Board) -> str:
    return board.name(board.square(chance.randrange(board.columns), chance.randrange(board.rows)))


def names_in(board: Board, token: str) -> list[str]:
    """The square names of a token's list of squares or of its group."""
    names: list[str] = []
    for character in token:
        if character.isalpha():
            names.append("")
        names[-1] += character
    return names


def change_squares(chance: random.Random, position: Position, tokens: list[str], others: list[Case]) -> str:
    """One square becomes another one, most often a neighbour."""
    number = chance.randrange(len(tokens))
    code, lists = tokens[number][:2], tokens[number][2:].split("/")
    place = chance.randrange(len(lists))
    names = names_in(position.board, lists[place])
    changed = chance.randrange(len(names))
    column, row = ord(names[changed][0]) - 97, int(names[changed][1:]) - 1
    column, row = column + chance.choice([-1, 0, 0, 1]), row + chance.choice([-1, 0, 1])
    on_board = 0 <= column < position.board.columns and 0 <= row < position.board.rows
    names[changed] = (
        f"{chr(97 + column)}{row + 1}" if on_board and chance.random() < 0.8 else random_square(chance, position.board)
    )
    lists[place] = "".join(names)
    return " ".join([*tokens[:number], code + "/".join(lists), *tokens[number + 1 :]])


def move_part(chance: random.Random, position: Position, tokens: list[str], others: list[Case]) -> str:
    """All squares of an instance one or two rows up or down, or a column aside."""
    number = chance.randrange(len(tokens))
    right, up = chance.choice([(0, 1), (0, -1), (0, 2), (0, -2), (1, 0), (-1, 0)])
    code, lists = tokens[number][:2], tokens[number][2:].split("/")
    moved = [
        "".join(f"{chr(ord(name[0]) + right)}{int(name[1:]) + up}" for name in names_in(position.board, each))
        for each in lists
    ]
    return " ".join([*tokens[:number], code + "/".join(moved), *tokens[number + 1 :]])


def swap_rules(chance: random.Random, position: Position, tokens: list[str], others: list[Case]) -> str:
    number = chance.randrange(len(tokens))
    code = chance.choice([*RULE_CODES.values(), "OT", "TC", "XX", "cl"])
    return " ".join([*tokens[:number], code + tokens[number][2:], *tokens[number + 1 :]])


def reorder_squares(chance: random.Random, position: Position, tokens: list[str], others: list[Case]) -> str:
    """The squares of an instance in another order, which may be the same instance, alone or beside the first one."""
    number = chance.randrange(len(tokens))
    code, *lists = tokens[number][:2], *tokens[number][2:].split("/")
    names = names_in(position.board, lists[0])
    size = chance.choice([1, 2, 3])
    parts = [names[start : start + size] for start in range(0, len(names), size)]
    chance.shuffle(parts)
    group = names_in(position.board, lists[1]) if len(lists) > 1 else []
    chance.shuffle(group)
    again = code + "".join(name for part in parts for name in part) + ("/" + "".join(group) if group else "")
    return " ".join([*tokens[: number + chance.randrange(2)], again, *tokens[number + 1 :]])


def drop_tokens(chance: random.Random, position: Position, tokens: list[str], others: list[Case]) -> str:
    return " ".join(token for token in tokens if chance.random() < 0.8)


def double_token(chance: random.Random, position: Position, tokens: list[str], others: list[Case]) -> str:
    return " ".join([*tokens, chance.choice(tokens)])


def merge(chance: random.Random, position: Position, tokens: list[str], others: list[Case]) -> str:
    borrowed = chance.choice(others)[1].decode().split()
    return " ".join([*tokens, *chance.sample(borrowed, min(len(borrowed), chance.randint(1, 3)))])


def add_solutions(chance: random.Random, position: Position, tokens: list[str], others: list[Case]) -> str:
    """A valid instance more, or one in the place of another: it may combine and solve something, or not."""
    certificate = read_certificate(position, " ".join(tokens))
    solutions = list_solutions(position, certificate.win_condition)
    extra = [chance.choice(solutions.instances) for _ in range(chance.randint(1, 2)) if solutions.instances]
    written = write_certificate(type(certificate)(position, certificate.controller, None, tuple(extra))).split()
    kept = [token for token in tokens if token[:2] in ("OT", "TC") or chance.random() < 0.9]
    return " ".join([*kept, *written])


def change_bytes(chance: random.Random, position: Position, tokens: list[str], others: list[Case]) -> str:
    text = list(" ".join(tokens))
    for _ in range(chance.randint(1, 3)):
        text[chance.randrange(len(text))] = chance.choice("  /0123456789abcdefgzACL\t\n\x1c\x00~") if text else ""
    return "".join(text)


def cut(chance: random.Random, position: Position, tokens: list[str], others: list[Case]) -> str:
    text = " ".join(tokens)
    return text[: chance.randrange(len(text) + 1)] if chance.random() < 0.7 else text[chance.randrange(len(text)) :]


def add_condition(chance: random.Random, position: Position, tokens: list[str], others: list[Case]) -> str:
    conditions = [token for _, text in others for token in text.decode().split() if token[:2] in ("OT", "TC")]
    added = [chance.choice(conditions)] if conditions else ["OTa3/a3b3c3d3"]
    return " ".join(added + tokens if chance.random() < 0.5 else tokens + added)


DAMAGES: tuple[Damage, ...] = (
    change_squares, change_squares, move_part, swap_rules, reorder_squares, drop_tokens, double_token, merge,
    add_solutions, add_solutions, change_bytes, cut, add_condition,
)  # fmt: skip


def damaged(cases: Sequence[Case], count: int, seed: int) -> Iterator[Case]:
    """Certificates of a board with something wrong in them, most of them; some with another position."""
    chance = random.Random(seed)
    cases = [case for case in cases if case[1]]
    for _ in range(count):
        position, text = chance.choice(cases)
        if chance.random() < 0.1:
            columns = position.legal_columns
            position = chance.choice(
                [position.mirror(), chance.choice(cases)[0], position.play(chance.choice(columns))]
            )
            yield position, text
        else:
            tokens = text.decode().split()
            yield position, chance.choice(DAMAGES)(chance, position, tokens, cases).encode()


def test_damaged_samples() -> None:
    """The certificates of the thesis and their like, but for the openings, of which there are too many solutions."""
    written = [(sample.position, write_certificate(sample).encode()) for sample in SAMPLES.values()]
    late = [(position, text) for position, text in written if position.ply >= 15]
    cases = [
        *damaged(late, 500, seed=12),
        *damaged([case for case in written if str(case[0].board) == "4x4"], 100, seed=13),
    ]
    assert 20 < assert_agreement(cases) < 400


@pytest.mark.parametrize("board", BOARDS)
def test_damaged_certificates(board: str) -> None:
    cases = list(damaged(proved(board), 800, seed=9))
    assert 20 < assert_agreement(cases) < 500


@pytest.mark.slow
@pytest.mark.parametrize("board", BOARDS)
def test_many_damaged_certificates(board: str) -> None:
    assert_agreement(list(damaged(proved(board), 10_000, seed=10)))


@pytest.mark.parametrize("board", ["7x6", "5x4", "6x6x5"])
def test_the_order_of_the_tokens_does_not_matter(board: str) -> None:
    chance = random.Random(board)
    cases = []
    for position, text in proved(board):
        tokens = text.decode().split()
        for order in [chance.sample(tokens, len(tokens)) for _ in range(2)]:
            cases.append((position, "  ".join(order).encode()))
    assert assert_agreement(cases) == len(cases)


@given(st.binary(max_size=40) | st.text("CLBIVEAHSOT abcdefg123456/", max_size=60).map(str.encode), st.booleans())
@settings(deadline=None, max_examples=300)
def test_any_bytes(text: bytes, for_white: bool) -> None:
    assert_agreement([(at("1" if for_white else ""), text), (at("44444"), text), (at("", "4x2x5"), text)])


@given(
    st.sampled_from(["7x6", "4x4", "5x4x3", "1x6", "4x2x5", "6x5"]),
    st.integers(0, 2**64 - 1) | st.integers(0, 2**12),
    st.integers(0, 2**64 - 1) | st.integers(0, 2**12),
)
@settings(deadline=None, max_examples=300)
def test_any_stones(board: str, white: int, black: int) -> None:
    assert_agreement([(Position(Board.parse(board), white, black), text) for text in (b"", b"CLa1a2")])


def test_positions_that_cannot_be() -> None:
    """Where no group fits on the board, nothing but the position can be wrong with an empty certificate."""
    board = Board(2, 2, 3)
    numbers = [*range(64), 1 << 6, 1 << 63]
    cases = [(Position(board, white, black), b"") for white in numbers for black in numbers]
    assert 5 < assert_agreement(cases) < 30
    # Black has three in a line, and White cannot complete any.
    won = board_text.parse("ooo..\nxxoxx", Board(5, 2, 3))
    assert assert_agreement([(won, b"")]) == 0


def test_no_rule_uses_a_column_of_the_win_condition() -> None:
    position, proof = at("45543255234", "7x4"), "TCf3g3g4/d3e3f3g3/d1e2f3g4 CLa1a2 CLb3b4 CLc3c4"
    names = position.board.names(position.empty)
    cases = [
        (position, f"{proof} {code}{one}{other}".encode())
        for code in ("CL", "BI", "VE")
        for one, other in combinations(names, 2)
    ]
    assert assert_agreement([(position, proof.encode()), *cases]) > 1


def test_the_empty_certificate_holds_where_there_is_no_problem() -> None:
    assert assert_agreement([(at("", "4x2x5"), b""), (at("12", "4x2x5"), b" \n")]) == 2
    assert assert_agreement([(at("1", "4x2x5"), b""), (at("", "4x4"), b"")]) == 0


def test_a_win_condition_must_hold_even_where_there_is_no_problem() -> None:
    texts_ = (b"OTb1/b1c1", b"OTb1/b1c1d1a1", b"TCb1c1c2/b1c1/b1c2")
    assert assert_agreement([(at("1", "4x2x5"), text) for text in texts_]) == 0


def test_an_odd_number_of_rows() -> None:
    assert assert_agreement([(at("", "6x5x7"), b""), (at("", "4x2x5"), b"")]) == 1


def test_other_text_beside_a_certificate_is_not_read() -> None:
    """A text ends where its offset says, even inside a name that would go on."""
    position, text = at("", "4x4"), write_certificate(SAMPLES["empty 4x4"]).encode()
    around = np.frombuffer(b"CLa1a2" + text + b"1 CLa1", np.uint8)
    for beyond, accepted in ((0, True), (1, False)):
        offsets = np.array([6, 6 + len(text) + beyond])
        assert check_many(position.board, *stones([(position, text)]), around, offsets).is_accepted[0] == accepted


def test_threads_say_the_same() -> None:
    cases = list(damaged(proved("5x4"), 300, seed=11)) * 30
    one, two = (check_many(Board(5, 4), *stones(cases), *texts(cases), threads=threads) for threads in (1, 2))
    assert np.array_equal(one.least, two.least)
    assert np.array_equal(one.greatest, two.greatest)
    assert 0 < one.is_accepted.sum() < len(one)


def test_offsets_outside_the_text_are_refused() -> None:
    nothing, text = np.zeros(2, np.uint64), np.zeros(5, np.uint8)
    for offsets in permutations([0, 3, 6]):
        with pytest.raises(ValueError, match="do not go up"):
            check_many(Board(), nothing, nothing, text, np.array(offsets))
    with pytest.raises(ValueError, match="do not go up"):
        check_many(Board(), nothing, nothing, text, np.array([-1, 0, 5]))
    with pytest.raises(ValueError, match="one offset more"):
        check_many(Board(), nothing, nothing, text, np.array([0, 5]))


def test_no_certificates() -> None:
    nothing = np.zeros(0, np.uint64)
    assert len(check_many(Board(), nothing, nothing, np.zeros(0, np.uint8), np.zeros(1, np.int64))) == 0
