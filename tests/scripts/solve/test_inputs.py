"""What people have on disk: every kind of input has its answers, or its one clear line."""

from __future__ import annotations

import csv
import gzip
import io
import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner, Result

from claimeven.scripts.main import claimeven
from claimeven.scripts.solve import command, sources
from claimeven.solver.notation import parse_position

LINES = "4455\n44455554221\n1212121\n"
ANSWERS = "4455 white\n44455554221 white\n1212121 white\n"


def run(*arguments: str, stdin: str | bytes | None = None) -> Result:
    return CliRunner().invoke(claimeven, ["solve", "--memory", "8M", *arguments], input=stdin)


@pytest.mark.parametrize(
    "content",
    [
        LINES.encode(),
        LINES.encode().replace(b"\n", b"\r\n"),
        b"\xef\xbb\xbf" + LINES.encode(),
        LINES.encode("utf-16"),
        gzip.compress(LINES.encode()),
        ("# header\n\n" + LINES).encode(),
        LINES.rstrip("\n").encode(),
    ],
    ids=["plain", "crlf", "bom", "utf-16", "gz", "comments", "no last line end"],
)
def test_text_of_every_kind(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "positions"
    file.write_bytes(content)
    result = run(str(file))
    assert (result.stdout, result.exit_code) == (ANSWERS, 0)


def test_files_counted_from_0_are_read_so(tmp_path: Path) -> None:
    file = tmp_path / "positions"
    file.write_text("3344\n33344443110\n0101010\n")
    assert run(str(file)).stdout == "3344 white\n33344443110 white\n0101010 white\n"


def test_a_mixed_file_ends_the_run_with_both_lines(tmp_path: Path) -> None:
    file = tmp_path / "positions"
    file.write_text("4477\n0101010\n")
    result = run(str(file))
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr == (
        f"Error: {file}: line 2 is counted from 0, but line 1 is counted from 1: say which with --notation columns or "
        "--notation columns0\n"
    )


def test_an_open_base_is_told() -> None:
    result = run("-", stdin="4455\n")
    assert result.stdout == "4455 white\n"
    assert result.stderr == (
        "stdin: nothing shows whether columns are counted from 0 or from 1; they were read as counted from 1. To say "
        "so: --notation columns; to count from 0: --notation columns0\n"
    )
    assert run("-", "--notation", "columns", stdin="4455\n").stderr == ""
    assert run("4455").stderr == ""


def test_empty_input_has_no_answers(tmp_path: Path) -> None:
    file = tmp_path / "empty"
    file.write_bytes(b"")
    result = run(str(file))
    assert (result.stdout, result.stderr, result.exit_code) == ("", "", 0)


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (b"\x00\x01\x02" * 100, "binary, not text"),
        (
            b"SQLite format 3\x00" + bytes(84),
            "a SQLite database; a store is given with --db, not a list of positions",
        ),
        (b"\x89PNG\r\n\x1a\n", "a picture, not a list of positions"),
        (b"PK\x03\x04....", "a zip archive, not a list of positions"),
    ],
)
def test_binary_input_is_refused_by_name(tmp_path: Path, content: bytes, kind: str) -> None:
    file = tmp_path / "thing"
    file.write_bytes(content)
    result = run(str(file))
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == f"Error: {file}: this is {kind}\n"


def test_ten_errors_are_told_and_all_are_counted() -> None:
    result = run("-", "--notation", "columns", stdin="9\n" * 25 + "4455\n")
    assert result.stdout == "9 invalid\n" * 25 + "4455 white\n"
    assert result.stderr.count("is not a column") == 10
    assert result.stderr.splitlines()[-1] == "25 invalid lines, of which 10 are shown"
    assert result.exit_code == 1


def test_a_table_keeps_its_columns(tmp_path: Path) -> None:
    file = tmp_path / "games.csv"
    file.write_text('name,position,note\nfirst,4455,"a, b"\nbad,9,\nstart of nothing,1212121,x\n')
    result = run(str(file), "--column", "position", "--score")
    rows = list(csv.DictReader(io.StringIO(result.stdout)))
    assert [row["name"] for row in rows] == ["first", "bad", "start of nothing"]
    assert [row["note"] for row in rows] == ["a, b", "", "x"]
    assert [(row["value"], row["score"], row["source"]) for row in rows] == [
        ("white", "18", "search"),
        ("invalid", "", ""),
        ("white", "-18", "terminal"),
    ]
    assert "not a column" in rows[1]["error"]
    assert result.exit_code == 1


def test_a_table_without_the_column_says_which_it_has(tmp_path: Path) -> None:
    file = tmp_path / "games.csv"
    file.write_text("name,position\nfirst,4455\n")
    result = run(str(file))
    assert result.stderr == (
        f"Error: {file}: there is no column 'moves' (there are: name, position); --column says which to read\n"
    )


def test_json_lines_in_and_out_keep_other_fields(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    file.write_text('{"id": 7, "moves": "4455"}\n{"id": 8, "moves": "44455554221"}\n')
    rows = [json.loads(line) for line in run(str(file), "--score").stdout.splitlines()]
    assert [(row["id"], row["moves"], row["score"]) for row in rows] == [(7, "4455", 18), (8, "44455554221", -15)]


def test_json_lines_become_a_table_with_all_their_fields(tmp_path: Path) -> None:
    file, table = tmp_path / "games.jsonl", tmp_path / "games.csv"
    file.write_text('{"id": 7, "moves": "4455", "tags": ["a", 1]}\n{"moves": "1212121", "good": true}\n')
    assert run(str(file), "--score", "--out", str(table)).exit_code == 0
    assert list(csv.reader(io.StringIO(table.read_text()))) == [
        ["id", "moves", "tags", "good", "value", "score", "source", "error"],
        ["7", "4455", '["a", 1]', "", "white", "18", "search", ""],
        ["", "1212121", "", "true", "white", "-18", "terminal", ""],
    ]
    parquet = tmp_path / "games.parquet"
    assert run(str(file), "--moves", "--out", str(parquet)).exit_code == 0
    rows = pq.read_table(parquet).to_pylist()
    assert [(row["id"], row["tags"], row["best_moves"]) for row in rows] == [
        ("7", '["a", 1]', [3, 6]),
        (None, None, None),
    ]


def test_parquet_and_compressed_output_are_whole_files(tmp_path: Path) -> None:
    file, out, packed = tmp_path / "in.parquet", tmp_path / "out.parquet", tmp_path / "out.csv.gz"
    pq.write_table(pa.table({"moves": ["4455", "44455554221"], "weight": [0.5, 1.5]}), file)
    assert run(str(file), "--score", "--out", str(out)).exit_code == 0
    table = pq.read_table(out).to_pydict()
    assert table["weight"] == [0.5, 1.5]
    assert (table["value"], table["score"]) == (["white", "white"], [18, -15])
    assert run(str(out), "--score", "--out", str(packed)).exit_code == 0
    rows = list(csv.DictReader(io.StringIO(gzip.decompress(packed.read_bytes()).decode())))
    assert [row["score"] for row in rows] == ["18", "-15"]
    assert run(str(file)).stderr == "Error: Parquet is not written to stdout: name a file with --out, or use --json\n"
    assert sorted(each.name for each in tmp_path.iterdir() if not each.name.startswith("own-store")) == [
        "in.parquet",
        "out.csv.gz",
        "out.parquet",
    ]


def test_zst_is_read_and_written(tmp_path: Path) -> None:
    out = tmp_path / "answers.zst"
    assert run("-", "--out", str(out), stdin=LINES).exit_code == 0
    with pa.input_stream(out, compression="zstd") as stream:
        assert stream.read().decode() == ANSWERS
    again = tmp_path / "positions.zst"
    again.write_bytes(out.read_bytes())
    assert run(str(again)).stdout.count("invalid") == 3  # the answers are no positions


def test_a_failed_run_leaves_the_old_file(tmp_path: Path) -> None:
    out = tmp_path / "answers.txt"
    out.write_text("what was there\n")
    assert run("-", "--out", str(out), stdin="4477\n0123\n").exit_code == 2
    assert out.read_text() == "what was there\n"


def test_unordered_answers_carry_their_line_numbers() -> None:
    result = run("-", "--unordered", stdin=LINES)
    assert sorted(result.stdout.splitlines()) == ["1 4455 white", "2 44455554221 white", "3 1212121 white"]
    rows = [json.loads(line) for line in run("-", "--unordered", "--json", stdin=LINES).stdout.splitlines()]
    assert sorted(row["line"] for row in rows) == [1, 2, 3]


def test_blank_lines_are_the_start_if_asked_for() -> None:
    assert run("-", "--board", "4x4", "--blank-is-start", stdin="\n12\n").stdout == " draw\n12 draw\n"
    assert run("-", "--board", "4x4", stdin="\n12\n").stdout == "12 draw\n"


def test_moves_have_their_scores() -> None:
    moves, score, *scores = run("4455", "--moves").stdout.split()
    assert (moves, score, len(scores), scores[2], scores[5]) == ("4455", "18", 7, "18", "18")
    row = json.loads(run("4455", "--moves", "--json").stdout)
    assert row["best_moves"] == [3, 6]


def test_the_formats_that_help_names_are_those_there_are() -> None:
    assert command.FORMATS == sources.FORMATS


def test_the_readable_prover_gives_the_same_answers_and_keeps_graphs(tmp_path: Path) -> None:
    graphs = tmp_path / "graphs"
    lines = "444433351225255\n43443444536335525626636567777772\n"
    by_graph = run("-", "--prover", "graph", "--graphs", str(graphs), "--json", stdin=lines)
    by_kernel = run("-", "--json", "--no-cache", stdin=lines)
    values = [[json.loads(line)["value"] for line in each.stdout.splitlines()] for each in (by_graph, by_kernel)]
    assert values[0] == values[1] == ["white", "black"]
    assert all(json.loads(line)["proof"] for line in by_graph.stdout.splitlines())
    assert len(list(graphs.glob("*.graphml"))) == 2


def test_graphs_of_what_is_known_are_kept_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    late, early = "43443444536335525626636567777772", "444545443331313351115155"
    mirrored = "".join(str(8 - int(column)) for column in early)
    over = "1212121"
    known = run("-", stdin=f"{late}\n{early}\n").stdout
    again = run(
        "-", "--prover", "graph", "--graphs", str(tmp_path / "graphs"), "--graph-format", "json",
        stdin=f"{late}\n{early}\n{mirrored}\n{over}\n",
    )  # fmt: skip
    assert again.stdout == f"{known}{mirrored} black\n{over} white\n"
    files = sorted((tmp_path / "graphs").iterdir())
    assert [file.suffix for file in files] == [".json", ".json"]
    for file in files:
        position = parse_position(file.stem, notation="columns")
        assert position.canonical_key in {parse_position(each).canonical_key for each in (late, early)}
        chosen = [node for node in json.loads(file.read_text())["nodes"] if node.get("chosen")]
        assert chosen  # both are proved by the rules


def test_the_readable_prover_is_asked_about_late_positions_too() -> None:
    late = "236323616547166115775567425151773233"
    row = json.loads(run(late, "--prover", "graph", "--no-cache", "--json").stdout)
    by_kernel = json.loads(run(late, "--no-cache", "--json").stdout)
    assert (row["value"], by_kernel["value"]) == ("black", "black")
    assert (row["source"], by_kernel["source"]) == ("rules", "search")
