"""Files are written whole or not at all, and read only if they are plain and of a size that can be meant."""

from __future__ import annotations

import os
import resource
import signal
import stat
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from workbench.homes import disk

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="pipes and limits of Unix")


@pytest.fixture
def no_room() -> Iterator[None]:
    """Files of this process may not grow beyond 1000 bytes, as on a disk with little room."""
    before, handler = resource.getrlimit(resource.RLIMIT_FSIZE), signal.getsignal(signal.SIGXFSZ)
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, before)
    signal.signal(signal.SIGXFSZ, handler)


def test_a_file_without_room_leaves_the_old_one(tmp_path: Path, no_room: None) -> None:
    path = tmp_path / "f"
    disk.replace(path, b"old")
    with pytest.raises(OSError, match="large"):
        disk.replace(path, bytes(2000))
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_link_stays_a_link_and_a_device_a_device(tmp_path: Path) -> None:
    (tmp_path / "target").write_bytes(b"old")
    (tmp_path / "link").symlink_to("target")
    disk.replace(tmp_path / "link", b"new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "target").read_bytes() == b"new"
    disk.replace(Path(os.devnull), b"lost")
    assert stat.S_ISCHR(Path(os.devnull).stat().st_mode)


def test_permissions_are_those_of_any_new_file(tmp_path: Path) -> None:
    disk.replace(tmp_path / "a", b"")
    (tmp_path / "b").touch()
    assert (tmp_path / "a").stat().st_mode == (tmp_path / "b").stat().st_mode


def test_what_is_not_plain_is_not_read(tmp_path: Path) -> None:
    """No waiting for a pipe's writer, no memory for a file of 50 GB."""
    os.mkfifo(tmp_path / "pipe")
    with open(tmp_path / "huge", "wb") as file:
        file.truncate(50_000_000_000)
    for name, said in (("pipe", "is no regular file"), ("huge", "has 5e")):
        with pytest.raises(disk.NotPlain, match=said):
            disk.read(tmp_path / name)
    with pytest.raises(OSError):
        disk.read(tmp_path)


@pytest.mark.parametrize("text", [b"", b"{", b"[" * 100_000, b"\xff\xfe\x00", b"nul"])
def test_what_is_no_json_is_a_value_error(tmp_path: Path, text: bytes) -> None:
    (tmp_path / "f").write_bytes(text)
    with pytest.raises(ValueError):
        disk.read_json(tmp_path / "f")


def test_a_file_that_another_process_took_for_stale_is_written_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rename, removed = os.replace, []

    def removed_first(source: Path, target: Path) -> None:
        if not removed:
            removed.append(source)
            Path(source).unlink()
        rename(source, target)

    monkeypatch.setattr(os, "replace", removed_first)
    disk.replace(tmp_path / "kept", b"content")
    assert (removed, (tmp_path / "kept").read_bytes()) == (removed[:1], b"content")
    assert [path.name for path in tmp_path.iterdir()] == ["kept"]
    with pytest.raises(FileNotFoundError):
        disk.replace(tmp_path / "nowhere" / "kept", b"content")
