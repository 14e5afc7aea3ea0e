"""What players get to know from a store."""

from __future__ import annotations

from pathlib import Path

from claimeven.db.location import StoreLocation
from claimeven.db.player_lookup import lookup_by, lookup_in
from claimeven.db.quick_reader import open_reader
from claimeven.db.store import Store
from claimeven.solver.board import Board
from claimeven.solver.verdict import UNKNOWN
from tests.positions import at
from tests.scripts.stores import make_store


def test_both_ways_give_what_is_stored(tmp_path: Path) -> None:
    path = make_store(tmp_path / "store.db")
    with Store.open(path, writable=False) as store, open_reader(StoreLocation.parse(str(path))) as reader:
        in_store = lookup_in(store, Board())
        assert in_store is not None
        for lookup in (in_store, lookup_by(reader)):
            assert lookup(at("4")).score == -1
            assert lookup(at("7")).score == 2
            assert str(lookup(at("12")).bounds) == "not-white"
            assert lookup(at("44")) == UNKNOWN  # a claim is not knowledge
            assert lookup(at("4455")) == UNKNOWN
        assert in_store(at("1", "6x6")) == UNKNOWN
        assert lookup_in(store, Board(6, 6)) is None
