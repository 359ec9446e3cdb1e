"""A whole session as a file: it comes back as it was, is the same each time, and is refused where it was changed."""

import io
import zipfile
from collections.abc import Iterable

import pytest

from actors.messages.conversation import Attachment, Entry, UserMessage
from actors.messages.store import SessionOpened
from tests.ui.session_files.conversations import HOSTILE, PNG, entries, hostile_session, prompt, said
from ui.session_files import archive
from ui.session_files.archive import ENTRIES, MANIFEST, NoArchive

SESSION = SessionOpened(session_id="s", cwd="/w", branch="main", name="Fix\nit", entries=0)


def written(session: Iterable[Entry], labels: dict[str, str] | None = None) -> bytes:
    file = io.BytesIO()
    writer = archive.Writer(file)
    for entry in session:
        writer.add(entry)
    writer.finish(SESSION, labels or {})
    return file.getvalue()


def read(data: bytes) -> list[Entry]:
    file = io.BytesIO(data)
    manifest = archive.read_manifest(file)
    archive.check(file, manifest)
    return list(archive.read_entries(file, manifest))


def changed(data: bytes, **members: bytes | None) -> bytes:
    """By their names without the ending; None: without it."""
    file = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(file, "w") as new:
        for name in old.namelist():
            content = members.get(name.partition(".")[0], old.read(name))
            if content is not None:
                new.writestr(name, content)
    return file.getvalue()


@pytest.mark.parametrize("text", HOSTILE)
def test_what_was_said_comes_back_as_it_was(text: str) -> None:
    session = list(hostile_session(text))

    assert read(written(session)) == session


def test_attachments_have_their_data() -> None:
    image = Attachment(name="shot.png", media_type="image/png", data=PNG, size=len(PNG))
    session = entries(UserMessage(text="look", turn_id="t", prompt_id="p", attachments=(image,)))

    assert read(written(session)) == session


def test_the_manifest_says_what_it_is() -> None:
    data = written(entries(prompt("x"), said("y")), {"e1": "the good one"})

    manifest = archive.read_manifest(io.BytesIO(data))

    told = (manifest.session_id, manifest.cwd, manifest.branch, manifest.name, manifest.labels, manifest.entries)
    assert told == ("s", "/w", "main", "Fix\nit", {"e1": "the good one"}, 2)


def test_the_same_session_is_the_same_file() -> None:
    session = entries(prompt("x"), said("y"))

    assert written(session) == written(session)


@pytest.mark.parametrize(
    ("members", "why"),
    [
        ({"manifest": None}, "it is no session that"),
        ({"manifest": b"{}"}, "it is no session that"),
        ({"entries": None}, "entries.jsonl in it cannot be read"),
        ({"entries": b""}, "entries.jsonl in it is not as it was written"),
        ({"entries": b"x" * 10_000}, "entries.jsonl in it is not as it was written"),
    ],
)
def test_what_was_changed_is_refused(members: dict[str, bytes | None], why: str) -> None:
    data = changed(written(entries(prompt("x"))), **members)

    with pytest.raises(NoArchive, match=why):
        read(data)


@pytest.mark.parametrize("data", [b"", b"PK\x03\x04", b"{}\n", b"\0" * 1000])
def test_what_is_no_archive_is_refused(data: bytes) -> None:
    with pytest.raises(NoArchive, match="it is no session that trouper sessions export"):
        read(data)


def test_a_broken_byte_is_found_in_any_member() -> None:
    session = entries(prompt("x"), said("y"))
    data = written(session)
    with zipfile.ZipFile(io.BytesIO(data)) as whole:
        places = [whole.getinfo(name).header_offset + 80 for name in (ENTRIES, MANIFEST)]

    for place in places:
        with pytest.raises(NoArchive):
            read(data[:place] + bytes([data[place] ^ 0xFF]) + data[place + 1 :])


def test_a_newer_format_is_refused() -> None:
    data = written(entries(prompt("x")))
    with zipfile.ZipFile(io.BytesIO(data)) as whole:
        manifest = whole.read(MANIFEST).replace(b'"version":1', b'"version":2')

    with pytest.raises(NoArchive, match="it has version 2 of the format; this Trouper reads 1"):
        read(changed(data, manifest=manifest))


def test_an_entry_of_another_program_is_refused() -> None:
    file = io.BytesIO(changed(written(entries(prompt("x"))), entries=b'{"type":"Entry","new":1}\n'))

    with pytest.raises(NoArchive, match="entry 1 cannot be read"):
        list(archive.read_entries(file, archive.read_manifest(file)))
