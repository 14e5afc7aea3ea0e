"""`claimeven board`: pictures as files, and what it refuses."""

from __future__ import annotations

import struct
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from click.testing import CliRunner, Result

from claimeven.scripts.main import claimeven
from claimeven.solver.drawing.picture import draw_position
from tests.positions import at

SVG = "{http://www.w3.org/2000/svg}"


def run(*arguments: str) -> Result:
    return CliRunner().invoke(claimeven, ["board", *arguments])


def test_a_position_as_the_library_draws_it(tmp_path: Path) -> None:
    out = tmp_path / "x.svg"
    result = run("4455", "--threats", "--title", "A < B", "--out", str(out))
    assert (result.exit_code, result.stdout) == (0, "")
    assert out.read_text(encoding="utf-8") == draw_position(at("4455"), threats=True, title="A < B")


def test_scores_and_the_best_line(tmp_path: Path) -> None:
    out = tmp_path / "x.svg"
    assert run("33", "--board", "5x4", "--scores", "--best-line", "--no-cache", "--out", str(out)).exit_code == 0
    svg = ET.fromstring(out.read_text(encoding="utf-8"))
    texts = [(text.get("class"), text.text) for text in svg.iter(f"{SVG}text")]
    assert [text for kind, text in texts if kind in ("score", "score best")] == ["−1", "−1", "0", "−1", "−1"]
    assert ("score best", "0") in texts
    assert [text for kind, text in texts if kind and kind.startswith("number")][:3] == ["1", "2", "3"]


def test_a_proof(tmp_path: Path) -> None:
    out = tmp_path / "x.svg"
    assert run("444433351225255", "--proof", "--scheme", "dark", "--out", str(out)).exit_code == 0
    text = out.read_text(encoding="utf-8")
    assert "Chosen set for White" in text
    assert 'class="claimeven-dark"' in text
    result = run("4", "--proof", "--out", str(out))
    assert (result.exit_code, "prove nothing here" in result.stderr) == (0, True)


def test_a_png_file_of_the_width_that_was_asked_for(tmp_path: Path) -> None:
    out = tmp_path / "x.png"
    assert run("44", "--width", "321", "--out", str(out)).exit_code == 0
    content = out.read_bytes()
    assert content[:8] == b"\x89PNG\r\n\x1a\n"
    assert struct.unpack(">I", content[16:20]) == (321,)


def test_without_resvg_it_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    result = run("44", "--out", str(tmp_path / "x.png"))
    assert result.exit_code == 1
    assert "pip install 'claimeven[png]'" in result.stderr
    assert not (tmp_path / "x.png").exists()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("44", "--out", "x.gif"), "must end in .svg or .png"),
        (("44", "--out", "nowhere/x.svg"), "there is no directory nowhere"),
        (("44", "--out", "x.png", "--scheme", "auto"), "light or dark"),
        (("44", "--out", "x.svg", "--width", "100"), "no width in pixels"),
        (("48", "--out", "x.svg"), "MOVES"),
    ],
)
def test_what_does_not_go_together_is_refused(arguments: tuple[str, ...], words: str) -> None:
    result = run(*arguments)
    assert result.exit_code == 2
    assert words in result.stderr


def test_a_budget_that_is_not_enough(tmp_path: Path) -> None:
    out = tmp_path / "x.svg"
    result = run("", "--scores", "--nodes", "1", "--no-cache", "--no-book", "--out", str(out))
    assert result.exit_code == 1
    assert "not all scores were found" in result.stderr
    assert ">?<" in out.read_text(encoding="utf-8")
