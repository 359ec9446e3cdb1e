"""What an answer says of a chunk is checked against the files of that chunk, as they are now."""

from pathlib import Path

import msgspec
import pytest

from tests.ui.findings.made import QUOTE, RAW, TEXT
from ui.audit.answers import checked
from ui.source_text import chunks
from ui.source_text.chunks import Chunk
from ui.source_text.collected import collect


@pytest.fixture
def chunk(tmp_path: Path) -> Chunk:
    (tmp_path / "app").mkdir()
    (tmp_path / "app" / "users.py").write_text(TEXT)
    (tmp_path / "other.py").write_text(TEXT)
    files = collect(tmp_path).files
    return chunks.chunks(tmp_path, [chunks.whole(files[0])], 4000)[0]


def test_a_quote_that_is_there_is_placed_where_it_is(tmp_path: Path, chunk: Chunk) -> None:
    (found,) = checked(tmp_path, chunk, [msgspec.structs.replace(RAW, first_line=77, last_line=99)]).findings

    assert (found.placed, found.path, found.first_line, found.last_line) == (True, "app/users.py", 5, 5)
    assert found.quote == QUOTE


def test_a_quote_that_is_not_there_is_dropped(tmp_path: Path, chunk: Chunk) -> None:
    made_up = msgspec.structs.replace(RAW, quote="eval(request.body)")

    assert checked(tmp_path, chunk, [made_up]).findings == ()
    assert len(checked(tmp_path, chunk, [made_up]).dropped) == 1


@pytest.mark.parametrize("path", ["other.py", "../app/users.py", "/etc/passwd", ""])
def test_what_was_not_in_the_chunk_has_no_place(tmp_path: Path, chunk: Chunk, path: str) -> None:
    (found,) = checked(tmp_path, chunk, [msgspec.structs.replace(RAW, path=path)]).findings

    assert (found.placed, found.path, found.quote) == (False, "", "")


def test_a_file_that_changed_meanwhile_places_nothing(tmp_path: Path, chunk: Chunk) -> None:
    (tmp_path / "app" / "users.py").write_text(f"\n{TEXT}")

    (found,) = checked(tmp_path, chunk, [RAW]).findings

    assert not found.placed
