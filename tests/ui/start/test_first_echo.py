"""What the first frame shows of what is typed: held against the decoder and the editor that read the same bytes."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ui.screen.composer.editor import Editor
from ui.screen.composer.keymap import edit
from ui.screen.terminal.keys import Decoder
from ui.start.first_echo import PLAIN, Echo
from ui.start.first_frame import PROMPT

WIDTH = 40
SPECIAL = (
    *("\x7f", "\x08", "\r", "\n", "\t", "\x03", "\x1b[D", "\x1b[3~", "\x1b[97;5u", "\x1b[27;2;32~", "\x1bb", "\x1bOD"),
    *("\x1b[I", "\x1b[O", "\x1b[?62;4c", "\x1b[12;40R", "\x1b[?1u", "\x1b[200~pasted\x1b[201~", "\x1b[1;5R"),
    *(
        "e\u0301",
        "\u200d",
        "\ufe0f",
        "\U0001f3fd",
        "\U0001f1e9\U0001f1ea",
        "\u1161",
        "\u0e33",
        "\u3099",
        "\x9b",
        "\u202e",
    ),
)
PLAIN_CHARACTERS = [chr(code) for code in range(0x20000) if re.fullmatch(f"[{PLAIN}]", chr(code))]
TYPED = st.lists(st.sampled_from(PLAIN_CHARACTERS) | st.sampled_from(SPECIAL) | st.sampled_from("abc 日é"), max_size=30)


def composed(data: bytes) -> Editor:
    editor = Editor()
    for event in Decoder(lone_esc_s=0.01).feed(data):
        edit(editor, event)
    return editor


@given(typed=TYPED, cuts=st.lists(st.integers(1, 5), min_size=1))
def test_it_shows_what_the_composer_would_in_one_row(typed: list[str], cuts: list[int]) -> None:
    data = "".join(typed).encode()
    echo, at, cut = Echo(WIDTH), 0, 0
    while at < len(data) and not echo.over:
        size = cuts[cut % len(cuts)]
        echo.feed(data[at : at + size])
        at, cut = at + size, cut + 1
        if not echo.over:
            editor = composed(data[:at])
            assert editor.text == echo.text
            assert len(editor.layout(WIDTH - len(PROMPT) - 1)) == 1


def test_every_character_it_shows_is_one_for_the_composer_and_stays_as_it_is() -> None:
    for character in PLAIN_CHARACTERS:
        twice = composed((character * 3 + "\x7f").encode())

        assert twice.text == character * 2


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("two words", "two words"),
        ("naïve Ünïcödé, Ελλάδα, Привет", "naïve Ünïcödé, Ελλάδα, Привет"),
        ("日本語 한국 🚀", "日本語 한국 🚀"),
        ("wrng\x7f\x7f\x7frong", "wrong"),
        ("\x7f\x7fa", "a"),
        ("\x1b[Ia\x1b[O\x1b[?62;4cb\x1b[12;40R", "ab"),
    ],
)
def test_text_and_backspace_are_shown_and_what_the_terminal_says_is_not(typed: str, shown: str) -> None:
    echo = Echo(WIDTH)

    for byte in typed.encode():
        echo.feed(bytes([byte]))

    assert (echo.text, echo.over) == (shown, False)


@pytest.mark.parametrize("other", ["\r", "\x03", "\x1b[D", "\x1b[200~", "\t", "\u0301", "\x1bb", "\x9b", "\U0001f3fd"])
def test_what_it_does_not_understand_ends_it(other: str) -> None:
    echo = Echo(WIDTH)

    echo.feed(f"before{other}after".encode())

    assert (echo.text, echo.over) == ("before", True)


@pytest.mark.parametrize(
    ("typed", "fits"), [("x" * 37, True), ("x" * 38, False), ("日" * 18, True), ("日" * 19, False)]
)
def test_text_that_could_wrap_ends_it(typed: str, *, fits: bool) -> None:
    echo = Echo(WIDTH)

    echo.feed(typed.encode())

    assert echo.over is not fits
    assert echo.text == (typed if fits else typed[:-1])


def test_bytes_that_are_no_text_end_it() -> None:
    echo = Echo(WIDTH)

    echo.feed(b"caf\xe9 ")

    assert echo.over
