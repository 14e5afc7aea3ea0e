"""The `claimeven` command as a whole: its help, its imports, and how it ends when the outside world interferes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from importlib import import_module
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from claimeven.scripts.errors import CLOSED_PIPE, FOUND_A_PROBLEM, INTERRUPTED, WRONG_USAGE, clean_ending
from claimeven.scripts.main import COMMANDS, claimeven

ROOT = Path(__file__).parents[2]
HEAVY = ("matplotlib", "networkx", "numba", "numpy", "pandas", "scipy", "sqlalchemy")
COMMAND = [sys.executable, "-m", "claimeven"]


def all_commands(command: click.Command, path: tuple[str, ...] = ()) -> dict[tuple[str, ...], click.Command]:
    """A command and all its subcommands, by their paths."""
    found = {path: command}
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            subcommand = command.get_command(context, name)
            assert subcommand is not None
            found |= all_commands(subcommand, (*path, name))
    return found


EVERY_COMMAND = all_commands(claimeven)


@pytest.fixture(scope="module", autouse=True)
def _kernels_are_compiled() -> None:
    """The commands started here would say on stderr that they compile them."""
    import_module("claimeven.solver.proof.prover")


@pytest.mark.parametrize("path", EVERY_COMMAND, ids=lambda path: " ".join(path) or "claimeven")
def test_every_command_has_help_with_an_example(path: tuple[str, ...]) -> None:
    result = CliRunner().invoke(claimeven, [*path, "--help"], prog_name="claimeven")
    assert result.exit_code == 0
    lines = result.output.splitlines()
    summary = lines[2].strip()
    assert summary.endswith(".")
    assert len(summary) <= 78
    heading = next(number for number, line in enumerate(lines) if line in ("  Example:", "  Examples:"))
    assert " ".join(["claimeven", *path]) in lines[heading + 1]


@pytest.mark.parametrize("path", EVERY_COMMAND, ids=lambda path: " ".join(path) or "claimeven")
def test_every_option_has_help(path: tuple[str, ...]) -> None:
    for parameter in EVERY_COMMAND[path].params:
        if isinstance(parameter, click.Option):
            assert parameter.help, parameter.name


def test_every_registered_command_is_listed() -> None:
    output = CliRunner().invoke(claimeven, ["--help"]).output
    assert {"graph", "prove"} <= set(COMMANDS)
    for name in COMMANDS:
        assert f"\n  {name} " in output


def test_help_imports_nothing_heavy() -> None:
    probe = (
        "import sys\n"
        "from claimeven.scripts.main import main\n"
        "sys.argv = ['claimeven', '--help']\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        f"sys.exit(','.join(name for name in {HEAVY!r} if name in sys.modules))"
    )
    result = subprocess.run([sys.executable, "-c", probe], cwd=ROOT, capture_output=True, text=True, check=False)
    assert result.stderr.strip() == ""
    assert "Commands:" in result.stdout


def test_version() -> None:
    result = CliRunner().invoke(claimeven, ["--version"])
    assert result.exit_code == 0
    assert result.output.startswith("claimeven ")


def test_an_unknown_command_is_wrong_usage() -> None:
    result = CliRunner().invoke(claimeven, ["prov"])
    assert result.exit_code == WRONG_USAGE
    assert "No such command 'prov'" in result.stderr


@pytest.mark.parametrize("arguments", [["--help"], ["prove", "--help"], ["prove", "12"], ["prove", "12", "--json"]])
def test_a_reader_that_closes_the_pipe_ends_the_command_quietly(arguments: list[str]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    try:
        result = subprocess.run(
            [*COMMAND, *arguments], cwd=ROOT, stdout=writing, stderr=subprocess.PIPE, text=True, check=False
        )
    finally:
        os.close(writing)
    assert result.stderr == ""
    if arguments[0] == "prove":
        assert result.returncode == CLOSED_PIPE


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_disk_is_one_line() -> None:
    with Path("/dev/full").open("w") as full:
        result = subprocess.run(
            [*COMMAND, "prove", "12"], cwd=ROOT, stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert result.returncode == FOUND_A_PROBLEM
    assert result.stderr == "Error: No space left on device\n"


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no signals to send")
def test_ctrl_c_stops_with_one_word_and_its_own_status() -> None:
    with subprocess.Popen(
        [*COMMAND, "prove", "-"],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # whatever this process inherited
    ) as process:
        assert process.stdin is not None
        # More than a pipe holds, so that this returns only when the command has begun to read.
        process.stdin.write(b" " * 1_000_000)
        process.stdin.flush()
        process.send_signal(signal.SIGINT)
        output, diagnostics = process.communicate(timeout=30)
    assert process.returncode == INTERRUPTED
    assert output == b""
    assert diagnostics.strip() == b"stopped"


def test_an_error_of_the_file_system_names_the_file() -> None:
    with (
        pytest.raises(click.ClickException, match=r"^book\.db: Permission denied$") as error,
        clean_ending(click.Context(claimeven)),
    ):
        raise PermissionError(13, "Permission denied", "book.db")
    assert error.value.exit_code == FOUND_A_PROBLEM


def test_a_module_for_which_there_is_no_memory() -> None:
    with pytest.raises(click.ClickException, match="not enough memory"), clean_ending(click.Context(claimeven)):
        raise ImportError("initialization failed") from MemoryError()
    with pytest.raises(ImportError, match="no such module"), clean_ending(click.Context(claimeven)):
        raise ImportError("no such module")


def test_ctrl_c_while_a_lock_is_taken_back(capsys: pytest.CaptureFixture[str]) -> None:
    def wait(error: BaseException | None) -> None:
        lock = threading.Lock()
        with lock:
            lock.release()  # as Condition.wait leaves it when it is interrupted
            if error is not None:
                raise error

    with pytest.raises(click.exceptions.Exit) as ending, clean_ending(click.Context(claimeven)):
        wait(KeyboardInterrupt("stopped; run the same command to go on"))
    assert ending.value.exit_code == INTERRUPTED
    assert capsys.readouterr().err == "\nstopped; run the same command to go on\n"
    with pytest.raises(RuntimeError, match="release unlocked lock"), clean_ending(click.Context(claimeven)):
        wait(None)


def test_a_bug_is_not_hidden() -> None:
    with pytest.raises(ZeroDivisionError), clean_ending(click.Context(claimeven)):
        raise ZeroDivisionError
