"""Solutions of small boards, built, checked, spoiled, stopped and gone on with."""

from __future__ import annotations

import copy
import json
import random
import subprocess
import sys
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from claimeven.solver.board import Board
from claimeven.solver.position import Position, Side
from claimeven.solver.solution.building.builder import Builder, FalseClaimError
from claimeven.solver.solution.building.construction import Aim, Construction
from claimeven.solver.solution.building.extraction import OpenSolutionError, extract_solution
from claimeven.solver.solution.building.gleaning import Field
from claimeven.solver.solution.building.outcome import Effort, Leaves
from claimeven.solver.solution.building.revival import revive_build
from claimeven.solver.solution.building.work_file import Build, Task, WorkFileError, load_build, save_build
from claimeven.solver.solution.diagram import Claim
from claimeven.solver.solution.file_check import find_solution_flaws
from claimeven.solver.solution.finding import finder
from claimeven.solver.solution.finding.finder import FinderThread, Library
from claimeven.solver.solution.finding.oracle import Oracle
from claimeven.solver.solution.guide import Guide
from claimeven.solver.solution.plain_check import check_by_text
from claimeven.solver.solution.solution import Solution

MEMORY = 1 << 22
TASKS = {
    "5x4": Task(Board(5, 4), (), Side.WHITE, Claim.NO_LOSS),
    "4x5 after a1": Task(Board(4, 5), (0,), Side.BLACK, Claim.NO_LOSS),
    "6x4": Task(Board(6, 4), (), Side.BLACK, Claim.WIN),
    "4x4x3": Task(Board(4, 4, 3), (), Side.WHITE, Claim.WIN),
}


def new_builder(build: Build, leaves: Leaves = Leaves.BOTH, jobs: int = 1, work: int = 100_000) -> Builder:
    effort = Effort(leaf=work, sat=1_000_000, first_ply=0)
    return Builder(build.workshop, jobs=jobs, seed=1, memory_bytes=MEMORY, effort=effort, leaves=leaves)


@cache
def solve(name: str, leaves: Leaves = Leaves.BOTH, jobs: int = 1) -> Solution:
    task = TASKS[name]
    build = Build(task, task.new_workshop())
    builder = new_builder(build, leaves, jobs)
    builder.check_claim()
    while builder.build_round():
        pass
    builder.close()
    return extract_solution(build.workshop, task.controller, task.root)


def file_of(solution: Solution) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(solution.to_text())
    return data


@pytest.mark.parametrize("name", TASKS)
def test_what_is_built_is_a_proof(name: str) -> None:
    solution = solve(name)
    data = file_of(solution)
    assert list(find_solution_flaws(data)) == []
    assert Solution.from_json(data).to_text() == solution.to_text()
    sizes = solution.sizes
    assert sizes.moves + sizes.leaves == len(data["nodes"])
    assert sizes.certificates <= sizes.leaves


@pytest.mark.parametrize("name", ["5x4", "4x4x3"])
def test_the_plain_check_agrees(name: str) -> None:
    assert list(find_solution_flaws(file_of(solve(name)), check_by_text)) == []


def test_leaves_of_both_kinds_and_of_one() -> None:
    both, diagrams = solve("6x4"), solve("4x4x3", Leaves.DIAGRAMS)
    assert 0 < both.sizes.rule_leaves < both.sizes.leaves
    assert diagrams.sizes.rule_leaves == 0


def test_rules_alone() -> None:
    task = Task(Board(6, 4), (0,), Side.BLACK, Claim.NO_LOSS)
    build = Build(task, task.new_workshop())
    builder = new_builder(build, Leaves.RULES)
    while builder.build_round():
        pass
    solution = extract_solution(build.workshop, task.controller, task.root)
    assert solution.sizes.rule_leaves == solution.sizes.leaves
    assert list(find_solution_flaws(file_of(solution))) == []


def test_the_same_seed_gives_the_same_solution_with_any_number_of_threads() -> None:
    assert solve("6x4").to_text() == solve("6x4", jobs=2).to_text()


@pytest.mark.parametrize("name", TASKS)
def test_random_games_end_as_claimed(name: str) -> None:
    solution = solve(name)
    rng = random.Random(1)
    for _ in range(60):
        play_randomly(solution, rng)


def play_randomly(solution: Solution, rng: random.Random) -> None:
    """A game from the root or from its mirror image against random moves; fails if it does not end as claimed."""
    guide = Guide(solution)
    if rng.random() < 0.5:
        guide.position = solution.root.mirror()
    while not guide.position.is_over:
        if guide.position.to_move is solution.controller:
            guide.play(guide.advise().column)
        else:
            guide.play(rng.choice(guide.position.legal_columns))
    if solution.claim is Claim.WIN:
        assert guide.position.winner is solution.controller
    else:
        assert guide.position.winner is not solution.controller.opponent


def test_a_claim_that_is_false() -> None:
    task = Task(Board(6, 4), (), Side.WHITE, Claim.NO_LOSS)
    builder = new_builder(Build(task, task.new_workshop()))
    with pytest.raises(FalseClaimError):
        builder.check_claim()


plain_check = cache(check_by_text)
"""Most diagrams of a spoiled solution are those of the whole one."""


def is_still_a_proof(data: dict[str, Any]) -> bool:
    return not list(find_solution_flaws(data, plain_check))


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_spoiled_solutions_are_refused(data: st.DataObject) -> None:
    refuse_spoiled(data)


@pytest.mark.slow
@settings(max_examples=1_000, deadline=None)
@given(st.data())
def test_many_spoiled_solutions_are_refused(data: st.DataObject) -> None:
    refuse_spoiled(data)


def refuse_spoiled(data: st.DataObject) -> None:
    """A solution with something changed is refused, unless the plain check says that it is still one."""
    file = copy.deepcopy(file_of(solve(data.draw(st.sampled_from(["5x4", "4x4x3", "4x5 after a1"])))))
    kind = data.draw(st.sampled_from(["digit", "node", "move", "mirror", "number", "extra", "claim", "board"]))
    names = sorted(file["nodes"])
    name = data.draw(st.sampled_from(names))
    entry = file["nodes"][name]
    sure = True
    if kind == "digit":
        number = data.draw(st.integers(0, len(file["diagrams"]) - 1))
        row = data.draw(st.integers(0, len(file["diagrams"][number]) - 1))
        column = data.draw(st.integers(0, len(file["diagrams"][number][row]) - 1))
        text = file["diagrams"][number][row]
        file["diagrams"][number][row] = text[:column] + data.draw(st.sampled_from("0123456789.")) + text[column + 1 :]
        sure = False
    elif kind == "node":
        del file["nodes"][name]
    elif kind == "move":
        inner = [each for each in names if "move" in file["nodes"][each]]
        if not inner:
            return
        name = inner[0]
        file["nodes"][name]["move"] = data.draw(st.sampled_from(["a1", "a2", "b2", "c3", "d1", "z9", ""]))
        sure = False
    elif kind == "mirror":
        if "diagram" not in entry:
            return
        if entry.pop("mirrored", None) is None:
            entry["mirrored"] = True
        sure = False
    elif kind == "number":
        file["nodes"][name] = {"diagram": data.draw(st.integers(-2, len(file["diagrams"]) + 1))}
        sure = False
    elif kind == "extra":
        extra = data.draw(st.sampled_from(["1", "11", "111", "1212", "2", "12", "1111111"]))
        if any(
            Solution.from_json(file).find(at(extra, file["board"])) for _ in [0] if is_position(extra, file["board"])
        ):
            return
        file["nodes"][extra] = {"diagram": 0}
    elif kind == "claim":
        file["claim"] = "win" if file["claim"] == "no-loss" else "loss"
    else:
        file["board"] = "4x4"
        sure = file["diagrams"] and len(file["diagrams"][0][0]) != 4
        if not sure:
            file["controller"], sure = "black", True
    flaws = list(find_solution_flaws(file))
    assert flaws or not sure
    assert bool(flaws) == (not is_still_a_proof(file))


def at(moves: str, board: str) -> Position:
    return Position(moves, board=Board.parse(board))


def is_position(moves: str, board: str) -> bool:
    try:
        return not at(moves, board).is_over
    except ValueError:
        return False


@pytest.mark.parametrize(
    ("spoil", "named"),
    [
        (lambda file: file["nodes"].pop(""), "the root"),
        (lambda file: file["nodes"].pop(max(file["nodes"], key=len)), "no answer to a reply in column"),
        (lambda file: file["nodes"].update({"1111": {"diagram": 0}}), "cannot be reached"),
        (lambda file: file["diagrams"].append(file["diagrams"][0]), "is not used"),
        (lambda file: file["diagrams"].__setitem__(0, ["9" * 5] * 4), "diagram 0 does not hold for"),
        (lambda file: file["nodes"].update({"": {"move": "a4"}}), "a4 is not playable"),
        (lambda file: file.update(format="x"), "no solution"),
        (lambda file: file.update(claim="loss"), "the head of the file"),
    ],
)
def test_what_is_wrong_is_named(spoil: Any, named: str) -> None:
    file = copy.deepcopy(file_of(solve("5x4")))
    spoil(file)
    assert any(named in flaw for flaw in find_solution_flaws(file))


def test_a_leaf_under_the_wrong_mirror_image_is_found() -> None:
    file = file_of(solve("5x4"))
    found = []
    for name, entry in file["nodes"].items():
        if "diagram" in entry:
            spoiled = copy.deepcopy(file)
            if spoiled["nodes"][name].pop("mirrored", None) is None:
                spoiled["nodes"][name]["mirrored"] = True
            found += [flaw for flaw in find_solution_flaws(spoiled) if name in flaw]
    assert any("does not hold for" in flaw for flaw in found)


def test_a_build_goes_on_where_it_was_stopped(tmp_path: Path) -> None:
    """Round by round in new builders out of the file gives what one builder gives."""
    task = TASKS["6x4"]
    path = tmp_path / "6x4.build"
    save_build(Build(task, task.new_workshop()), path)
    rounds = 0
    while True:
        build = load_build(path)
        assert build.task == task
        if not new_builder(build).build_round():
            break
        rounds += 1
        save_build(build, path)
    assert rounds > 2
    solution = extract_solution(load_build(path).workshop, task.controller, task.root)
    assert solution.to_text() == solve("6x4").to_text()


@pytest.mark.parametrize("name", TASKS)
def test_a_build_out_of_a_solution_gives_that_solution(name: str) -> None:
    solution = solve(name)
    build = revive_build(solution)
    again = extract_solution(build.workshop, build.task.controller, build.task.root)
    before, after = solution.sizes, again.sizes
    assert (after.moves, after.leaves, after.rule_leaves) == (before.moves, before.leaves, before.rule_leaves)
    assert after.certificates <= before.certificates  # a blank diagram is valid at more leaves
    assert list(find_solution_flaws(file_of(again))) == []


def test_diagrams_of_a_build_out_of_a_solution_have_a_digit_on_every_square() -> None:
    solution = solve("6x4")
    assert any("." in row for diagram in solution.diagrams for row in diagram.rows)
    library = revive_build(solution).workshop.library
    for number in range(len(library)):
        assert sum(int(level) for level in library[number]) == solution.board.squares


def test_a_build_out_of_a_solution_knows_how_it_became_so_small(tmp_path: Path) -> None:
    curve = [[10, 30, 40], [20, 7, 25]]
    build = revive_build(replace(solve("5x4"), made={"seconds": 25, "curve": curve}))
    builder = new_builder(build)
    construction = Construction(build, builder, tmp_path / "x.build", tmp_path / "x.json", {})
    builder.close()
    assert construction.curve() == curve
    assert build.seconds == 25


KILLED = """
import sys
from claimeven.scripts.main import main
from claimeven.solver.solution.building import construction
construction.SAVE_SECONDS = 0.0
sys.argv[0] = "claimeven"
main()
"""


def run_killed(folder: Path, waits: list[float]) -> Solution:
    """Build 6x4 in processes that are killed, each after some seconds, the last one not; gives what came of it."""
    out = folder / "6x4.json"
    arguments = ["--board", "6x4", "--controller", "black", "--claim", "win", "--memory", "4M", "--jobs", "1"]
    command = [sys.executable, "-c", KILLED, "solution", "build", *arguments, "--out", str(out)]
    for wait in waits:
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        try:
            process.wait(wait)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return Solution.load(out)


@pytest.mark.slow
def test_a_build_that_is_killed_at_any_point_goes_on(tmp_path: Path) -> None:
    rng = random.Random(1)
    whole = file_of(run_killed(tmp_path, []))
    for number in range(3):
        folder = tmp_path / str(number)
        folder.mkdir()
        killed = file_of(run_killed(folder, [rng.uniform(1.5, 6) for _ in range(6)]))
        assert list(find_solution_flaws(killed)) == []
        assert (killed["nodes"], killed["diagrams"]) == (whole["nodes"], whole["diagrams"])


def test_what_is_not_complete_is_no_solution() -> None:
    task = TASKS["6x4"]
    with pytest.raises(OpenSolutionError):
        extract_solution(task.new_workshop(), task.controller, task.root)


def test_damaged_build_files_are_refused(tmp_path: Path) -> None:
    task = TASKS["5x4"]
    path = tmp_path / "x.build"
    save_build(Build(task, task.new_workshop()), path)
    whole = path.read_bytes()
    rng = random.Random(1)
    for _ in range(30):
        place = rng.randrange(len(whole))
        spoiled = (
            whole[:place] if rng.random() < 0.5 else whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :]
        )
        path.write_bytes(spoiled)
        try:
            assert load_build(path).task == task  # a bit of gzip's head that means nothing
        except WorkFileError:
            continue


def test_improving_never_makes_it_larger(tmp_path: Path) -> None:
    task = TASKS["5x4"]
    build = Build(task, task.new_workshop())
    builder = new_builder(build)
    out = tmp_path / "5x4.json"
    construction = Construction(build, builder, tmp_path / "5x4.json.build", out, {})
    for _ in construction.run(seconds=None, aim=Aim.COMPLETE):
        pass
    first = Solution.load(out)
    for number, _ in enumerate(construction.run(seconds=None, aim=Aim.NODES)):
        if number == 3:
            break
    builder.close()
    improved = Solution.load(out)
    assert improved.sizes.nodes <= first.sizes.nodes
    sizes = [2 * moves + leaves for _, moves, leaves in improved.made["curve"]]
    assert sizes
    assert sizes == sorted(set(sizes), reverse=True)
    assert list(find_solution_flaws(json.loads(out.read_text()))) == []


def test_improving_tries_the_same_with_any_number_of_threads(tmp_path: Path) -> None:
    pytest.importorskip("pysat")
    task = TASKS["5x4"]
    kept = []
    for jobs in (1, 3):
        build = Build(task, task.new_workshop())
        builder = new_builder(build, jobs=jobs)
        while builder.build_round():
            pass
        assert not any(node.sat_tries for node in build.workshop.nodes.values())  # only an improver asks SAT
        for _ in range(3):
            builder.improve_round()
        builder.close()
        assert any(node.sat_tries for node in build.workshop.nodes.values())
        save_build(build, tmp_path / "x.build")
        kept.append((tmp_path / "x.build").read_bytes())
    assert kept[0] == kept[1]


def test_what_is_known_to_have_no_diagram_is_so_for_mirror_images_too() -> None:
    task = TASKS["5x4"]
    build = Build(task, task.new_workshop())
    builder = new_builder(build)
    builder.build_round()
    workshop = build.workshop
    key = next(key for key in workshop.nodes if tuple(map(task.board.mirror, key)) != key)
    image = task.board.mirror(key[0]), task.board.mirror(key[1])
    workshop.mark(key, is_barren=False, needs_ties=True)
    builder.barren.note()
    assert [builder.barren.has(stones, is_strict) for stones in (key, image) for is_strict in (True, False)] == [
        True, False, True, False,
    ]  # fmt: skip
    workshop.mark(key, is_barren=True, needs_ties=False)
    builder.barren.note()
    assert builder.barren.has(image, False)
    assert not builder.barren.has((1 << 40, 1 << 41), False)
    builder.close()


def test_a_build_that_goes_on_begins_with_what_its_oracle_knew(tmp_path: Path) -> None:
    task = TASKS["5x4"]
    build = Build(task, task.new_workshop())
    work, out, memo = (tmp_path / name for name in ("x.build", "x.json", "x.memo"))
    first = new_builder(build)
    construction = Construction(build, first, work, out, {}, memo)
    first.check_claim()
    assert list(construction.run(seconds=None, aim=Aim.COMPLETE))[-1].is_complete
    first.close()
    second = new_builder(load_build(work))
    assert not second.oracle.memo.any()
    Construction(build, second, work, out, {}, memo)
    second.close()
    assert second.oracle.memo.any()


def test_what_the_check_refuses_is_not_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "claimeven.solver.solution.building.construction.find_solution_flaws", lambda _file: iter(["a flaw"])
    )
    task = TASKS["5x4"]
    build = Build(task, task.new_workshop())
    builder = new_builder(build)
    construction = Construction(build, builder, tmp_path / "x.build", tmp_path / "x.json", {})
    with pytest.raises(RuntimeError, match="a flaw"):
        list(construction.run(seconds=None, aim=Aim.COMPLETE))
    builder.close()
    assert not (tmp_path / "x.json").exists()
    assert load_build(tmp_path / "x.build").task == task


def test_what_fails_at_a_position_is_gleaned_for_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """Diagrams that make few mistakes are valid at nodes that they were not searched for, and only there they count."""
    monkeypatch.setattr(finder, "MISS_MISTAKES", 1000)
    task = TASKS["5x4"]
    build = Build(task, task.new_workshop())
    builder = new_builder(build, Leaves.DIAGRAMS, work=0)
    for _ in range(15):
        builder.build_round()
    builder.close()
    thread = FinderThread(Oracle(task.board, False, MEMORY))
    (root,) = build.workshop.roots
    attempt = thread.attempt(*root, 200_000, 1, Library(task.board), 0)
    assert not attempt.is_success
    assert len({miss.tobytes() for miss in attempt.misses}) == len(attempt.misses) > 0
    found = Field.of(build.workshop, 0).glean(thread, root, attempt.misses)
    assert found
    for each in found:
        key = [task.board.mirror(word) for word in each.key] if each.mirrored else each.key
        assert each.levels is not None
        assert thread.is_valid(each.levels, *key)
        assert not build.workshop.nodes[each.key].is_leaf
    assert Field.of(build.workshop, 0).glean(thread, root, []) == []


def test_a_solution_by_rules_alone_can_be_improved() -> None:
    """There is no work for diagrams to weigh anything by then."""
    task = Task(Board(6, 4), (), Side.BLACK, Claim.WIN)
    build = Build(task, task.new_workshop(), leaves=Leaves.RULES.value)
    builder = new_builder(build, Leaves.RULES)
    while builder.build_round():
        pass
    before = extract_solution(build.workshop, task.controller, task.root).sizes
    assert builder.improve_round() > 0
    builder.close()
    after = extract_solution(build.workshop, task.controller, task.root)
    assert 0 < after.sizes.moves <= before.moves
    assert list(find_solution_flaws(json.loads(after.to_text()))) == []
