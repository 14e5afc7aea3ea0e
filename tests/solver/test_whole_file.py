"""A file that cannot be written stays what it was, and the error says which."""

import os
import resource
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from claimeven.solver.whole_file import replacing, write_whole


@contextmanager
def full_disk_after(size: int) -> Iterator[None]:
    """Let writing fail after so many bytes of a file."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.parametrize("content", ["one\ntwo\n", b"\x00\xff", ""])
def test_writes_what_it_is_given(tmp_path: Path, content: str | bytes) -> None:
    write_whole(tmp_path / "file", content)
    assert (tmp_path / "file").read_bytes() == (content.encode() if isinstance(content, str) else content)
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


@pytest.mark.parametrize("size", [0, 1, 4096, 9999])
def test_a_full_disk_leaves_the_old_file(tmp_path: Path, size: int) -> None:
    out = tmp_path / "page.html"
    out.write_text("the old one", encoding="utf-8")
    with full_disk_after(size), pytest.raises(OSError, match="File too large") as caught:
        write_whole(out, "x" * 10_000)
    assert caught.value.filename == str(out)
    assert out.read_text(encoding="utf-8") == "the old one"
    assert list(tmp_path.iterdir()) == [out]


def test_a_block_that_fails_leaves_nothing(tmp_path: Path) -> None:
    def write_half() -> None:
        with replacing(tmp_path / "book") as temporary:
            temporary.write_text("half", encoding="utf-8")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_half()
    assert list(tmp_path.iterdir()) == []


def test_a_missing_directory_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError) as caught:
        write_whole(tmp_path / "nowhere" / "file", "text")
    assert caught.value.filename == str(tmp_path / "nowhere" / "file")


def test_a_link_and_its_rights_stay(tmp_path: Path) -> None:
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_text("old", encoding="utf-8")
    target.chmod(0o600)
    link.symlink_to(target)
    write_whole(link, "new")
    assert link.is_symlink()
    assert target.read_text(encoding="utf-8") == "new"
    assert stat.S_IMODE(target.stat().st_mode) == 0o600


def test_a_device_is_written_to_as_it_is() -> None:
    write_whole(Path(os.devnull), "text")
    assert not Path(os.devnull).is_file()
