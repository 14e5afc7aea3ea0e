"""Threats: compared with playing a stone there, and told without colours."""

from __future__ import annotations

from xml.etree import ElementTree as ET

from hypothesis import given, settings

from claimeven import Position
from claimeven.solver.drawing.picture import ZUGZWANG, draw_position
from claimeven.solver.drawing.threats import find_threats, list_threats
from claimeven.solver.position import Side, has_line
from tests.positions import at
from tests.solver.games import positions

SVG = "{http://www.w3.org/2000/svg}"


@settings(max_examples=40)
@given(positions())
def test_a_threat_that_can_be_played_wins(position: Position) -> None:
    wins = {column for column in position.legal_columns if position.play(column).winner}
    board = position.board
    now = {
        board.column_of(threat.square)
        for threat in list_threats(position)
        if threat.is_playable and threat.side is position.to_move
    }
    assert now == wins


@settings(max_examples=40)
@given(positions())
def test_every_threat_completes_a_line_and_has_the_parity_of_its_row(position: Position) -> None:
    board = position.board
    for threat in list_threats(position):
        assert has_line(board, position.stones(threat.side) | 1 << threat.square)
        row = int("".join(letter for letter in threat.name if letter.isdigit()))
        assert threat.parity == ("odd" if row % 2 else "even")
        assert threat.gets_it == (board.rows % 2 == 0 and threat.is_odd == (threat.side is Side.WHITE))


def test_threats_of_both_sides() -> None:
    position = at("445566")
    assert position.board.names(find_threats(position, Side.WHITE)) == ["c1", "g1"]
    assert position.board.names(find_threats(position, Side.BLACK)) == ["c2", "g2"]
    svg = ET.fromstring(draw_position(position, threats=True))
    told = {title.text for title in svg.iter(f"{SVG}title")}
    assert {str(threat) for threat in list_threats(position)} <= told
    words = [text.text for text in svg.iter(f"{SVG}text") if text.get("class") == "parity"]
    assert words == ["now", "now", "even", "even"]
    rings = [circle for circle in svg.iter(f"{SVG}circle") if circle.get("class") == "zugzwang"]
    assert len(rings) == 2


def test_a_finished_game_has_none() -> None:
    assert list_threats(at("1212121")) == []


def test_a_ring_is_explained_where_there_is_one() -> None:
    ringed = at("445566")
    assert ZUGZWANG in draw_position(ringed, threats=True)
    assert ZUGZWANG not in draw_position(ringed, threats=True, key=False)
    assert ZUGZWANG not in draw_position(ringed)
    assert ZUGZWANG not in draw_position(at("4344445323"), threats=True)  # one that can be played now has no ring
