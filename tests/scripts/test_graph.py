"""`claimeven graph`: the three formats, what is in them, and what it says about wrong input."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree as ET

import networkx as nx
import pytest
from click.testing import CliRunner, Result

from claimeven.scripts.main import claimeven
from claimeven.solver.proof.prover import prove
from tests.positions import at

WHITE_WINS = "444433351225255"


def graph(*arguments: str | Path) -> Result:
    return CliRunner().invoke(claimeven, ["graph", *map(str, arguments)], prog_name="claimeven")


def edges(graph: nx.Graph[str], kind: str) -> int:
    return sum(data["kind"] == kind for _, _, data in graph.edges(data=True))


def chosen(graph: nx.Graph[str]) -> set[str]:
    return {f"{data['rule']} {data['squares']}" for _, data in graph.nodes(data=True) if data.get("chosen")}


def expected_set(moves: str) -> set[str]:
    certificate = prove(at(moves)).certificate
    assert certificate is not None
    return {instance.describe(certificate.position.board) for instance in certificate.instances}


def test_graphml_can_be_read_back(tmp_path: Path) -> None:
    result = graph(WHITE_WINS, "--out", tmp_path / "graph.graphml")
    assert result.exit_code == 0
    assert result.stdout == ""
    size = len(expected_set(WHITE_WINS))
    assert result.stderr == f"wrote {tmp_path / 'graph.graphml'}: 19 problems, 79 solutions, {size} chosen\n"
    read: nx.Graph[str] = nx.read_graphml(tmp_path / "graph.graphml")
    assert chosen(read) == expected_set(WHITE_WINS)
    assert edges(read, "solves") > 0
    assert edges(read, "conflicts") > 0
    assert read.graph["value"] == "white"
    assert read.graph["win_condition"] == "the odd threat a3"


def test_json_is_a_node_link_graph(tmp_path: Path) -> None:
    assert graph("12", "--out", tmp_path / "graph.json", "--no-conflicts").exit_code == 0
    read: nx.Graph[str] = nx.node_link_graph(json.loads((tmp_path / "graph.json").read_text()), edges="edges")
    assert chosen(read) == expected_set("12")
    assert edges(read, "conflicts") == 0
    assert (read.graph["board"], read.graph["controller"], read.graph["value"]) == ("7x6", "black", "not-white")


def test_both_formats_hold_the_same_graph(tmp_path: Path) -> None:
    for name in ("graph.json", "graph.GRAPHML"):
        assert graph(WHITE_WINS, "--out", tmp_path / name).exit_code == 0
    one: nx.Graph[str] = nx.node_link_graph(json.loads((tmp_path / "graph.json").read_text()), edges="edges")
    other: nx.Graph[str] = nx.read_graphml(tmp_path / "graph.GRAPHML")
    assert sorted(one.nodes) == sorted(other.nodes)
    assert all(one.nodes[node] == other.nodes[node] for node in one.nodes)
    assert nx.utils.edges_equal(one.edges(data=True), other.edges(data=True))


def test_svg_is_a_picture_of_the_proof(tmp_path: Path) -> None:
    assert graph("--board", "6x6", "--out", tmp_path / "graph.svg").exit_code == 0
    svg = ET.parse(tmp_path / "graph.svg").getroot()
    assert svg.tag == "{http://www.w3.org/2000/svg}svg"
    assert svg[0].text == "Black at least draws"


def test_svg_of_nothing_proved(tmp_path: Path) -> None:
    result = graph("43", "--out", tmp_path / "graph.svg")
    assert result.stderr.endswith("nothing proved\n")
    assert ET.parse(tmp_path / "graph.svg").getroot()[0].text == "Nothing proved: unknown"


def test_white_without_a_proof_is_shown_under_the_first_win_condition(tmp_path: Path) -> None:
    assert graph("44444565655452222", "--out", tmp_path / "graph.svg").exit_code == 0
    assert "the threat combination f5, g5 and g6" in (tmp_path / "graph.svg").read_text()


def test_white_without_a_win_condition(tmp_path: Path) -> None:
    assert graph("4", "--out", tmp_path / "graph.svg").exit_code == 0
    assert "White has no win condition" in (tmp_path / "graph.svg").read_text()


@pytest.mark.parametrize("name", ["graph.png", "graph", "graph.svg.gz"])
def test_an_unknown_format_is_wrong_usage(tmp_path: Path, name: str) -> None:
    result = graph("12", "--out", tmp_path / name)
    assert result.exit_code == 2
    assert result.stderr == (
        f"Error: --out: {tmp_path / name} must end in .graphml, .json or .svg, which says what to write\n"
    )
    assert not (tmp_path / name).exists()


def test_a_missing_directory_is_named(tmp_path: Path) -> None:
    result = graph("12", "--out", tmp_path / "missing" / "graph.svg")
    assert result.exit_code == 2
    assert result.stderr == f"Error: --out: there is no directory {tmp_path / 'missing'}\n"


def test_a_file_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    name = tmp_path / ("x" * 300 + ".svg")
    result = graph("12", "--out", name)
    assert result.exit_code == 1
    assert result.stderr.startswith(f"Error: {name}: ")
    assert result.stderr.count("\n") == 1


def test_out_is_required() -> None:
    result = graph("12")
    assert result.exit_code == 2
    assert "--out" in result.stderr


@pytest.mark.parametrize("arguments", [["48"], ["--board", "7x5"], ["1212121"]])
def test_wrong_input_is_one_line_and_writes_nothing(tmp_path: Path, arguments: list[str]) -> None:
    result = graph(*arguments, "--out", tmp_path / "graph.svg")
    assert result.exit_code == 2
    assert result.stderr.startswith("Error: ")
    assert result.stderr.count("\n") == 1
    assert list(tmp_path.iterdir()) == []
