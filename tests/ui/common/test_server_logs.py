"""The end of a server's log, whatever lies in its place."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from ui.common import server_logs


def test_it_ends_with_the_last_lines(tmp_path: Path) -> None:
    log = server_logs.file(tmp_path, "box")
    log.parent.mkdir(parents=True)
    log.write_bytes(b"one\ntwo \xff\nthree\n")

    assert server_logs.last_lines(tmp_path, "box", 2) == ["two \N{REPLACEMENT CHARACTER}", "three"]


@pytest.mark.parametrize("put", [os.mkdir, os.mkfifo])
def test_what_is_no_file_holds_nobody_up(tmp_path: Path, put: Callable[[Path], None]) -> None:
    log = server_logs.file(tmp_path, "box")
    log.parent.mkdir(parents=True)
    put(log)

    with pytest.raises(OSError, match="not a regular file"):
        server_logs.last_lines(tmp_path, "box", 2)
