"""A directory to write into is made, or one sentence says why not."""

from __future__ import annotations

from pathlib import Path

import click
from click.testing import CliRunner

from claimeven.scripts.options.out_directory import OutDirectory


@click.command()
@click.option("--out", type=OutDirectory())
def write(out: Path) -> None:
    (out / "result").write_text("done")


def test_it_is_made_with_its_parents(tmp_path: Path) -> None:
    result = CliRunner().invoke(write, ["--out", str(tmp_path / "a" / "b")])
    assert result.exit_code == 0
    assert (tmp_path / "a" / "b" / "result").read_text() == "done"


def test_a_file_in_the_way(tmp_path: Path) -> None:
    (tmp_path / "a").touch()
    for place in (tmp_path / "a", tmp_path / "a" / "b"):
        result = CliRunner().invoke(write, ["--out", str(place)])
        assert result.exit_code == 2
        assert str(place) in result.output
