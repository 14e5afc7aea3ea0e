"""The transposition table keeps what it is given, and never takes one position for another."""

import random

import numpy as np
import pytest

from claimeven.solver.board import Board
from claimeven.solver.position import Position
from claimeven.solver.search.table import (
    TranspositionTable,
    greatest,
    hash_of,
    least,
    least_index_bits,
    probe,
    remember,
)
from claimeven.solver.search.workspace import Slot, Words, address_of, new_words, new_workspace


def make_table(board: Board, memory_bytes: int) -> tuple[TranspositionTable, Words]:
    table, workspace = TranspositionTable(board, memory_bytes), new_workspace(board)
    table.attach(workspace)
    return table, workspace


def random_position(board: Board, generator: random.Random, plies: int) -> Position:
    position = Position.start(board)
    for _ in range(plies):
        if position.is_over:
            break
        position = position.play(generator.choice(position.legal_columns))
    return position


def hash_position(workspace: Words, position: Position) -> int:
    mover = position.stones(position.to_move)
    stones = np.uint64(mover), np.uint64(position.occupied ^ mover)
    return int(hash_of(np.uint64(address_of(workspace)), *stones, position.ply))


@pytest.mark.parametrize("name", ["7x6", "8x7", "4x4", "12x4", "1x63"])
def test_different_positions_have_different_hashes(name: str) -> None:
    board = Board.parse(name)
    table, workspace = make_table(board, 1 << 12)
    generator = random.Random(1)
    names: dict[int, int] = {}
    for _ in range(3000):
        position = random_position(board, generator, generator.randrange(board.cells))
        is_near_root = position.ply <= int(workspace[Slot.MIRROR_PLY])
        name_ = position.canonical_key if is_near_root else position.key
        assert names.setdefault(hash_position(workspace, position), name_) == name_
    assert len(names) == len(set(names.values()))
    assert table.memory_bytes >= 1 << 12


@pytest.mark.parametrize("name", ["7x6", "8x7", "4x4"])
def test_remembers_bounds_and_only_tightens_them(name: str) -> None:
    board = Board.parse(name)
    table, workspace = make_table(board, 1 << 20)
    address, word = np.uint64(address_of(workspace)), np.uint64(hash_position(workspace, Position.start(board)))
    assert probe(address, word) == 0
    remember(address, word, -5, 7, np.uint64(3))
    remember(address, word, -6, 2, np.uint64(1))
    known = probe(address, word)
    assert (least(known), greatest(known)) == (-5, 2)
    table.clear()
    assert probe(address, word) == 0


def test_a_full_table_answers_only_for_what_it_holds() -> None:
    board = Board(8, 7)
    table, workspace = make_table(board, 1)
    address = np.uint64(address_of(workspace))
    generator = random.Random(2)
    kept: dict[int, int] = {}
    for _ in range(200_000):
        word = generator.getrandbits(64)
        kept[word] = word % 40 - 20
        remember(address, np.uint64(word), kept[word], kept[word], np.uint64(word % 30))
    found = 0
    for word, score in kept.items():
        known = probe(address, np.uint64(word))
        if known:
            found += 1
            assert (least(known), greatest(known)) == (score, score)
        assert not probe(address, np.uint64(word ^ 1)) or word ^ 1 in kept
    assert 0 < found <= len(table.words)


def test_the_rest_of_a_key_always_fits_an_entry() -> None:
    for columns in range(1, 33):
        for rows in range(1, 64 // columns):
            board = Board(columns, rows)
            assert columns * board.stride - least_index_bits(board) <= 46


@pytest.mark.parametrize("name", ["7x6", "8x7", "4x4"])
def test_a_table_that_grows_keeps_what_it_holds(name: str) -> None:
    board = Board.parse(name)
    table, workspace = TranspositionTable(board, 1 << 22, first_bytes=1 << 12), new_workspace(board)
    table.attach(workspace)
    address = np.uint64(address_of(workspace))
    generator = random.Random(2)
    positions = [random_position(board, generator, generator.randrange(board.cells)) for _ in range(200)]
    hashes = {np.uint64(hash_position(workspace, position)) for position in positions}
    for number, hash_ in enumerate(sorted(hashes)):
        remember(address, hash_, -(number % 20), number % 15, np.uint64(number % 50))
    before = {hash_: probe(address, hash_) for hash_ in hashes}
    sizes = [table.entries]
    while table.can_grow:
        table.grow([workspace])
        sizes.append(table.entries)
        kept = {hash_: probe(address, hash_) for hash_ in hashes if before[hash_]}
        assert kept == {hash_: known for hash_, known in before.items() if known}
    assert sizes == sorted(set(sizes))
    assert table.memory_bytes <= 1 << 22 or table.index_bits == least_index_bits(board)


def refuse_more_than(words: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let memory run out for every array of more words than these."""

    def allocate(count: int) -> Words:
        if count > words:
            raise MemoryError
        return new_words(count)

    monkeypatch.setattr("claimeven.solver.search.table.new_words", allocate)


def test_grows_less_where_memory_runs_out_and_forgets_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    board, shortages = Board(), list[int]()
    monkeypatch.setattr("claimeven.solver.search.shortage.on_shortage", shortages.append)
    table, workspace = TranspositionTable(board, 1 << 20, first_bytes=1 << 12), new_workspace(board)
    table.attach(workspace)
    address, position = np.uint64(address_of(workspace)), hash_position(workspace, Position.start(board))
    remember(address, np.uint64(position), -3, 5, np.uint64(1))
    refuse_more_than(1 << 10, monkeypatch)
    table.grow([workspace])
    assert (table.memory_bytes, table.can_grow, shortages) == (1 << 13, False, [1 << 13])
    known = probe(address, np.uint64(position))
    assert (least(known), greatest(known)) == (-3, 5)


def test_stays_as_it_is_where_there_is_no_memory_at_all(monkeypatch: pytest.MonkeyPatch) -> None:
    table, workspace = TranspositionTable(Board(), 1 << 20, first_bytes=1 << 12), new_workspace(Board())
    table.attach(workspace)
    before = table.words
    refuse_more_than(0, monkeypatch)
    table.grow([workspace])
    assert table.words is before
    assert int(workspace[Slot.TABLE]) == address_of(before)
    assert not table.can_grow
