"""Files for a prompt: told by their content, limited, found in what a terminal pastes; and as markers in a draft."""

import os
from pathlib import Path
from typing import Any
from urllib.parse import quote

import msgspec
import pytest
from PIL import Image

from actors.errors import Failed
from actors.messages.conversation import Attachment
from actors.messages.turn import Prompt
from ui.common.attached_files import (
    MOST_FILES,
    MOST_OF_ONE,
    AttachedFile,
    NotAttachable,
    dropped,
    load,
    look_at,
    look_at_all,
    named,
    shown,
)
from ui.screen.composer.editor import Draft, Editor
from ui.screen.composer.history import History
from ui.screen.controls import Controls
from ui.screen.intents import Send
from ui.screen.sending.prompts import with_files
from ui.screen.terminal.keys import Key, Paste, Text

PNG = b"\x89PNG\r\n\x1a\nrest"
HEADS = {
    "image/png": PNG,
    "image/jpeg": b"\xff\xd8\xff\xe0rest",
    "image/gif": b"GIF89arest",
    "image/webp": b"RIFF\x10\x00\x00\x00WEBPVP8 ",
    "application/pdf": b"%PDF-1.7\nrest",
}
ENTER, BACKSPACE, UP, DOWN = Key("enter"), Key("backspace"), Key("up"), Key("down")


@pytest.fixture
def png(tmp_path: Path) -> Path:
    path = tmp_path / "My Shot (1).png"
    path.write_bytes(PNG)
    return path


def made(path: Path) -> AttachedFile:
    return AttachedFile(str(path), "image/png", len(PNG))


@pytest.mark.parametrize(("media_type", "head"), HEADS.items(), ids=HEADS)
def test_the_content_says_what_it_is(tmp_path: Path, media_type: str, head: bytes) -> None:
    path = tmp_path / "misnamed.txt"
    path.write_bytes(head)

    file = look_at(path)

    assert (file.name, file.media_type, file.size) == ("misnamed.txt", media_type, len(head))
    assert load([file]) == (Attachment(name="misnamed.txt", media_type=media_type, data=head, size=len(head)),)


@pytest.mark.parametrize(
    ("form", "how"),
    [
        pytest.param("PNG", {}, id="PNG"),
        pytest.param("GIF", {}, id="GIF"),
        pytest.param("JPEG", {}, id="JPEG"),
        pytest.param("JPEG", {"progressive": True, "exif": b"Exif\0\0" + b"x" * 40_000}, id="JPEG of a camera"),
        pytest.param("WEBP", {}, id="WebP"),
        pytest.param("WEBP", {"lossless": True}, id="lossless WebP"),
        pytest.param("WEBP", {"exif": b"Exif\0\0"}, id="extended WebP"),
    ],
)
def test_an_image_is_marked_by_how_large_it_is(tmp_path: Path, form: str, how: dict[str, Any]) -> None:
    path = tmp_path / "shot"
    Image.new("RGB", (1280, 720), (9, 99, 200)).save(path, form, **how)
    editor = Editor()

    editor.attach(look_at(path))

    assert editor.expanded == "[image #1 1280×720] "


@pytest.mark.parametrize("media_type", ["image/png", "image/jpeg", "image/webp", "application/pdf"])
def test_one_that_is_cut_short_is_marked_by_its_name(tmp_path: Path, media_type: str) -> None:
    path = tmp_path / "shot"
    path.write_bytes(HEADS[media_type])

    assert look_at(path).told == "shot"


@pytest.mark.parametrize("data", [b"", b"hello", b"RIFF\x10\x00\x00\x00WAVE", b"\x89PNG", b"<svg/>"])
def test_nothing_else_is_attached_whatever_its_name(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "shot.png"
    path.write_bytes(data)

    with pytest.raises(NotAttachable, match=r"shot\.png is "):
        look_at(path)


def test_what_is_no_regular_file_is_not_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", tmp_path, Path("/dev/zero"), tmp_path / "missing.png", tmp_path / "a\0b"):
        with pytest.raises(NotAttachable):
            look_at(path)


def test_a_file_may_have_20_mb(tmp_path: Path) -> None:
    path = tmp_path / "big.png"
    with path.open("wb") as file:
        file.write(PNG)
        file.truncate(MOST_OF_ONE)
    assert look_at(path).size == MOST_OF_ONE
    with path.open("ab") as file:
        file.write(b"x")

    with pytest.raises(NotAttachable, match="larger than 20 MB"):
        look_at(path)
    with pytest.raises(NotAttachable, match="larger than 20 MB"):
        load([AttachedFile(str(path), "image/png", 1)])


def test_so_many_go_with_a_prompt(png: Path) -> None:
    with pytest.raises(NotAttachable, match="at most 20"):
        look_at_all([png] * (MOST_FILES + 1))


def test_together_they_have_a_limit(tmp_path: Path) -> None:
    for name in "ab":
        with (tmp_path / name).open("wb") as file:
            file.write(PNG)
            file.truncate(15 * 1024 * 1024)

    with pytest.raises(NotAttachable, match="more than 23 MB together"):
        look_at_all([tmp_path / "a", tmp_path / "b"])


def test_as_terminals_paste_what_is_dropped(png: Path) -> None:
    escaped = str(png).replace(" ", "\\ ").replace("(", "\\(").replace(")", "\\)")
    for text in (f"'{png}' ", f'"{png}"', escaped, str(png), f"file://{quote(str(png))}\r\n"):
        assert dropped(text) == (made(png),), text
    assert dropped(f"'{png}' {escaped}\n") == (made(png), made(png))


def test_a_paste_that_is_something_else_stays_one(png: Path, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("x")
    for text in (f"look at '{png}'", f"{tmp_path}/notes.txt", f"'{png}", f"{png}.gone", "", "/", png.name, "/" * 9000):
        assert dropped(text) == (), text


def test_a_typed_name_is_relative_and_may_have_blanks(png: Path) -> None:
    assert named(png.name, png.parent) == (made(png),)
    assert named(f"'{png.name}' '{png.name}'", png.parent) == (made(png), made(png))
    assert named(r"My\ Shot\ \(1\).png", png.parent) == (made(png),)


@pytest.mark.parametrize("text", ["no such.png", "it's not there.png", "nothing.png"])
def test_what_is_typed_and_missing_is_named_whole(tmp_path: Path, text: str) -> None:
    with pytest.raises(NotAttachable) as error:
        named(text, tmp_path)

    assert str(error.value) == f"{tmp_path / text}: No such file or directory."


def test_one_line_says_what_it_is() -> None:
    assert shown(Attachment(name="shot.png", media_type="image/png", size=120 * 1024)) == "[image shot.png, 120 KB]"
    assert shown(Attachment(name="a\x1b[2J.pdf", media_type="application/pdf", size=5)) == "[PDF a\\x1b[2J.pdf, 1 KB]"
    assert shown(Attachment(name="b.png", media_type="image/png", size=3 << 20)) == "[image b.png, 3.0 MB]"


async def test_a_file_that_went_away_is_not_sent(png: Path) -> None:
    file = look_at(png)
    png.unlink()

    with pytest.raises(Failed, match="cannot attach"):
        await with_files(Prompt(prompt_id="p", text="x"), [file])


def test_a_marker_stands_for_the_file_and_deleting_it_takes_it_away(png: Path) -> None:
    editor = Editor()
    editor.insert("see ")
    editor.attach(made(png))
    editor.insert("there")

    assert editor.expanded == "see [image #1 My Shot (1).png] there"
    assert editor.attached == (made(png),)
    for _ in range(len("there") + 2):
        editor.delete_back()
    assert (editor.expanded, editor.attached) == ("see ", ())
    editor.undo()
    assert editor.attached == (made(png),)


def test_a_draft_comes_back_with_its_files(png: Path) -> None:
    editor, other = Editor(), Editor()
    editor.attach(made(png))
    editor.paste("line\n" * 20)

    other.restore(msgspec.json.decode(msgspec.json.encode(editor.draft), type=Draft))

    assert (other.expanded, other.attached) == (editor.expanded, editor.attached)
    other.attach(made(png))
    assert "[image #2 My Shot (1).png]" in other.expanded


def test_a_dropped_file_goes_with_what_is_sent(png: Path) -> None:
    controls = Controls(History(["earlier"]), lambda: "nothing")

    sent = [
        intent
        for event in (Paste(f"'{png}' "), Text("what is this?"), UP, DOWN, ENTER)
        for intent in controls.handle(event, 1.0)
    ]

    assert sent == [Send("[image #1 My Shot (1).png] what is this?", (made(png),))]
    assert controls.editor.attached == ()


def test_a_dropped_file_whose_marker_is_deleted_stays_here(png: Path) -> None:
    controls = Controls(History([]), lambda: "nothing")

    sent = [
        intent
        for event in (Text("x"), Paste(str(png)), BACKSPACE, BACKSPACE, ENTER)
        for intent in controls.handle(event, 1.0)
    ]

    assert sent == [Send("x")]
