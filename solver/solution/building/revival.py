"""From a solution back to a build: what is left of one when nothing but its solution was kept."""

from __future__ import annotations

from claimeven.solver.notation import parse_moves
from claimeven.solver.solution.building.work_file import Build, Task
from claimeven.solver.solution.building.workshop import Key, Workshop
from claimeven.solver.solution.finding.finder import Library, levels_of
from claimeven.solver.solution.solution import Solution, SolutionNode


def revive_build(solution: Solution) -> Build:
    """A build that knows this solution and how it became so small, and nothing else, to go on improving it.

    >>> from claimeven import Solution
    >>> solution = Solution.from_json({
    ...     "format": "claimeven solution 1", "board": "4x4", "root": "1", "controller": "black", "claim": "no-loss",
    ...     "diagrams": [["0000", "1111", "0000", "2345"]], "nodes": {"1": {"diagram": 0}},
    ... })
    >>> len(revive_build(solution).workshop.library)
    1
    """
    root = parse_moves(solution.root_moves, solution.board) if solution.root_moves else ()
    task = Task(solution.board, root, solution.controller, solution.claim)
    workshop = task.new_workshop()
    workshop.library = library_of(solution)
    for node in solution.nodes.values():
        _enter(workshop, solution, node)
    history = [
        {"seconds": seconds, "moves": moves, "leaves": leaves, "open": 0, "size": 2 * moves + leaves}
        for seconds, moves, leaves in solution.made.get("curve", [])
    ]
    seed, seconds = int(solution.made.get("seed", 1)), float(solution.made.get("seconds", 0))
    return Build(task, workshop, seed=seed, seconds=seconds, history=history)


def library_of(solution: Solution) -> Library:
    """The diagrams of a solution, by their numbers there."""
    library = Library(solution.board)
    for diagram in solution.diagrams:
        library.add(levels_of(diagram))
    return library


def _enter(workshop: Workshop, solution: Solution, node: SolutionNode) -> None:
    key, is_mirrored = workshop.key_of(node.position)
    kept = workshop.node(key)
    if node.diagram is not None:
        kept.leaf, kept.mirrored = node.diagram, node.mirrored != is_mirrored
        return
    assert node.move is not None
    square = 1 << (solution.board.mirror_square(node.move) if is_mirrored else node.move)
    if node.proof is not None:
        kept.rule_move, kept.knows_rules = square, True
        return
    after = node.position.play(solution.board.column_of(node.move))
    replies: dict[Key, None] = {}
    for column in after.legal_columns:
        replied = after.play(column)
        if solution.find(replied) is not None:
            replies[workshop.key_of(replied)[0]] = None
    kept.moves = {square: tuple(replies)}
    for reply in replies:
        workshop.node(reply)
