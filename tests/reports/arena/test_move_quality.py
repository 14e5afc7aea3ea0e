"""The quality of moves, against plain minimax on a small board."""

from __future__ import annotations

import random

from claimeven.reports.arena.move_quality import MoveQuality, count_positions, judge_moves
from claimeven.reports.arena.tournament import ArenaGame, Fixture
from claimeven.solver.audit.minimax import minimax_score
from claimeven.solver.board import Board
from claimeven.solver.players.game import Game
from claimeven.solver.players.match import play_game
from claimeven.solver.position import Position
from claimeven.solver.verdict import UNKNOWN, Bounds, Source, Value, Verdict, judge_end
from tests.solver.players.scripted import plays_at_random

GAME = Game(4, 4, 3)
ENOUGH = 1_000_000


def random_games(count: int, opening: tuple[int, ...] = ()) -> list[ArenaGame]:
    games = []
    for number in range(count):
        first, second = (0, 1) if number % 2 == 0 else (1, 0)
        played = play_game(GAME, plays_at_random(2 * number), plays_at_random(2 * number + 1), opening)
        games.append(ArenaGame(Fixture(number + 1, first, second, opening), played))
    return games


def score_by_minimax(position: Position) -> int:
    score = judge_end(position).score if position.is_over else minimax_score(position)
    assert score is not None
    return score


def test_every_move_is_judged_as_minimax_judges_it() -> None:
    games = random_games(20, opening=(0, 1))
    expected = [[0, 0, 0], [0, 0, 0]]
    for game in games:
        position = Position.from_moves(Board(4, 4, 3), game.played.opening)
        for ply, move in enumerate(game.played.moves[2:], start=2):
            player = (game.fixture.first, game.fixture.second)[ply % 2]
            after = position.play(move)
            before_score, after_score = score_by_minimax(position), -score_by_minimax(after)
            expected[player][0] += 1
            expected[player][1] += _sign(before_score) == _sign(after_score)
            expected[player][2] += before_score == after_score
            position = after
    judged = judge_moves(2, games, ENOUGH, threads=1)
    assert [[each.moves, each.keeping, each.perfect] for each in judged] == expected
    assert all(each.valued == each.scored == each.moves for each in judged)
    assert judged[0].perfect + judged[1].perfect < judged[0].keeping + judged[1].keeping
    assert all(each.keeping < each.moves for each in judged)


def _sign(score: int) -> int:
    return (score > 0) - (score < 0)


def test_what_search_does_not_decide_is_not_judged() -> None:
    chance = random.Random(1)
    game = Game()
    played = play_game(game, plays_at_random(chance.randint(0, 99)), plays_at_random(2))
    games = [ArenaGame(Fixture(1, 0, 1, ()), played)]
    few, many = (judge_moves(2, games, nodes, threads=1) for nodes in (1, 3000))
    assert few[0].moves == many[0].moves == (len(played.moves) + 1) // 2
    assert few[0].scored < many[0].scored < many[0].moves


def test_what_is_known_is_not_searched() -> None:
    asked = []

    def lookup(position: Position) -> Verdict:
        asked.append(position)
        return Verdict(Bounds.exactly(Value.DRAW), Source.SEARCH) if position.ply < 4 else UNKNOWN

    played = play_game(Game(), plays_at_random(1), plays_at_random(2))
    judged = judge_moves(2, [ArenaGame(Fixture(1, 0, 1, ()), played)], 1, lookup, threads=1)
    assert judged[0].valued - judged[0].scored + judged[1].valued - judged[1].scored == 3
    assert len(asked) == len(set(asked)) == len(played.moves)


def test_progress_counts_every_position_once() -> None:
    games = random_games(3)
    steps: list[int] = []
    judge_moves(2, games, ENOUGH, threads=1, progress=steps.append)
    assert sum(steps) == count_positions(games)
    assert judge_moves(2, [], ENOUGH) == [MoveQuality(), MoveQuality()]
    assert MoveQuality().perfect_rate is None
