"""A time for thinking is one that a clock can measure."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from claimeven.scripts.main import claimeven


@pytest.mark.parametrize("command", [["arena", "rules", "random", "--no-cache"], ["bench", "players", "random"]])
@pytest.mark.parametrize("seconds", ["nan", "inf", "1e300", "0", "-1", "soon"])
def test_any_other_is_wrong_usage(command: list[str], seconds: str) -> None:
    result = CliRunner().invoke(claimeven, [*command, "--seconds", seconds])
    assert result.exit_code == 2
    assert result.stdout == ""
    assert "Invalid value for '--seconds': " in result.stderr


def test_the_shortest_and_the_longest_do() -> None:
    for seconds in ("1e-9", "86400"):
        arguments = ["random", "rules", "--board", "4x4", "--no-cache", "--judge-nodes", "0", "--seconds", seconds]
        result = CliRunner().invoke(claimeven, ["arena", *arguments])
        assert result.exit_code == 0, result.output
        assert "Lost without a line" not in result.stdout
