"""What is remembered: a line each in the user's own file, none lost and none longer than can be read."""

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from actors.texts import memory
from actors.texts.memory import NotRemembered


def test_each_is_a_line_of_its_own(tmp_path: Path) -> None:
    memory.add(tmp_path, "use tabs")
    memory.add(tmp_path, "two\nlines\x1b[2J\n\n# of text ")

    assert memory.file(tmp_path).read_text() == "- use tabs\n- two lines [2J # of text\n"
    assert memory.file(tmp_path).stat().st_mode & 0o777 == 0o600


def test_what_the_user_has_written_stays(tmp_path: Path) -> None:
    memory.file(tmp_path).write_text("# Mine\n\nno line end")

    memory.add(tmp_path, "use tabs")

    assert memory.file(tmp_path).read_text() == "# Mine\n\nno line end\n- use tabs\n"


def test_none_is_lost_when_several_are_added_at_once(tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda number: memory.add(tmp_path, f"thing {number}"), range(100)))

    lines = memory.file(tmp_path).read_text().splitlines()
    assert sorted(lines) == sorted(f"- thing {number}" for number in range(100))


@pytest.mark.parametrize("text", ["", " \n", "\x1b", "x" * (memory.LONGEST + 1)])
def test_what_is_no_line_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(NotRemembered):
        memory.add(tmp_path, text)

    assert not memory.file(tmp_path).exists()


def test_a_full_file_says_so_and_stays(tmp_path: Path) -> None:
    memory.file(tmp_path).write_text("x" * memory.MOST)

    with pytest.raises(NotRemembered, match="is full"):
        memory.add(tmp_path, "more")

    assert memory.file(tmp_path).stat().st_size == memory.MOST


def test_a_pipe_or_a_folder_in_its_place_is_named(tmp_path: Path) -> None:
    os.mkfifo(memory.file(tmp_path))
    with pytest.raises(NotRemembered, match="cannot be written"):
        memory.add(tmp_path, "more")

    memory.file(tmp_path).unlink()
    memory.file(tmp_path).mkdir()
    with pytest.raises(NotRemembered, match="cannot be written"):
        memory.add(tmp_path, "more")
