"""How much one client, and all of them together, may ask of the server."""

from __future__ import annotations

import os
from dataclasses import dataclass, field


def count_cores() -> int:
    return os.cpu_count() or 1


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds of size, number and time; what goes beyond them is refused with a problem that says which one it was."""

    text: int = 4_000
    """Characters of a position."""
    body: int = 1_000_000
    """Bytes of a batch."""
    lines: int = 10_000
    """Positions of a batch."""
    seconds: float = 60.0
    """How long the searches of one request may take, waiting included."""
    searches: int = 100
    """Requests that search or wait for it at the same time."""
    slots: int = 2
    """Long searches that run at the same time; the others wait, and take turns with them."""
    turn: float = 0.5
    """Seconds after which a long search makes room for one that waits."""
    quick_nodes: int = 40_000
    """A position that takes more nodes is searched in a slot; one that takes fewer never waits for those that do."""
    quick_seconds: float = 0.3
    """The same for all positions of a request together."""
    memory_bytes: int = 256 << 20
    """For the transposition tables of all slots together."""
    threads: int = field(default_factory=count_cores)
    """Threads of each slot."""
    drawings: int = 32
    """Graphs, look-aheads and moves of players that are made or waited for at the same time."""
    player_seconds: float = 5.0
    """The longest that a player may think over a move."""
    keep_alive: int = 5
    """Seconds that an idle connection is kept."""
    connections: int = 500
    """Connections at the same time."""
