"""Games of many kinds, states of them, and boards written as text, for tests that hold for every game."""

from __future__ import annotations

from random import Random

from hypothesis import strategies as st

from claimeven.solver.players.game import BLOCKED, EMPTY, FIRST, SECOND, Game, State

GAMES = (
    Game(),
    Game(4, 4),
    Game(8, 7),
    Game(5, 4, 3),
    Game(7, 7, 5),
    Game(9, 7, blocked=30),
    Game(12, 12),
    Game(5, 1, 3),
    Game(1, 6),
    Game(5, 5, 9),
    Game(3, 3, 3, gravity=False),
    Game(6, 5, 4, gravity=False, blocked=14),
    Game(12, 12, 5, gravity=False),
)
STANDARD_GAMES = tuple(game for game in GAMES if game.is_standard)


@st.composite
def states(draw: st.DrawFn, games: tuple[Game, ...] = GAMES) -> State:
    """A state of a random game that is not over."""
    game = draw(st.sampled_from(games))
    return random_state(game, draw(st.integers(0, game.cells - 1)), draw(st.integers(0, 1 << 32)))


def random_state(game: Game, length: int, seed: int) -> State:
    """The state after so many random moves, fewer if the game would be over by then."""
    random = Random(seed)
    state = State.start(game)
    for _ in range(length):
        after = state.play(random.choice(state.legal_moves))
        if after.is_over:
            break
        state = after
    return state


def read_state(text: str, connect: int = 4, *, gravity: bool = True) -> State:
    """The state with a board written as text, the top row first: `x` moved first, `#` is blocked.

    The side to move follows from the number of stones; how they came there is not told.
    """
    rows = text.split()[::-1]
    content = {".": EMPTY, "x": FIRST, "o": SECOND, "#": BLOCKED}
    cells = bytes(content[row[column]] for column in range(len(rows[0])) for row in rows)
    blocked = cells.index(BLOCKED) if BLOCKED in cells else None
    game = Game(len(rows[0]), len(rows), connect, gravity, blocked)
    return State(game, cells, (0,) * sum(cell in (FIRST, SECOND) for cell in cells))


def mirror(state: State) -> State:
    """The same game seen from behind the board; only if no cell is blocked."""
    height, width = state.game.height, state.game.width
    if state.game.gravity:
        moves = tuple(width - 1 - move for move in state.moves)
    else:
        moves = tuple((width - 1 - move // height) * height + move % height for move in state.moves)
    return State.start(state.game).play_all(moves)
