"""Bytes to keys, cut at every place."""

import pytest

from ui.screen.terminal.keys import ANSWER_S, TORN_S, Decoder, Event, Key, Paste, Report, Text

LONE_ESC_S = 0.003
CASES = {
    b"abc": [Text("abc")],
    b"\r": [Key("enter")],
    b"\n": [Key("ctrl+j")],
    b"\x7f": [Key("backspace")],
    b"\x03": [Key("ctrl+c")],
    b"\x1b": [Key("esc")],
    b"\x1b[A": [Key("up")],
    b"\x1bOA": [Key("up")],
    b"\x1b[1;5C": [Key("ctrl+right")],
    b"\x1b[3~": [Key("delete")],
    b"\x1b[3;5~": [Key("ctrl+delete")],
    b"\x1b[Z": [Key("shift+tab")],
    b"\x1b\r": [Key("alt+enter")],
    b"\x1bb": [Key("alt+b")],
    b"\x1b\x7f": [Key("alt+backspace")],
    b"\x1b\x1b[A": [Key("esc"), Key("up")],
    "\x1bé".encode(): [Key("alt+é")],
    b"\x1b[27u": [Key("esc")],
    b"\x1b[99;5u": [Key("ctrl+c")],
    b"\x1b[13;2u": [Key("shift+enter")],
    b"\x1b[9;2u": [Key("shift+tab")],
    b"\x1b[97;5:3u": [],
    b"\x1b[27;2;13~": [Key("shift+enter")],
    b"\x1b[27;5;99~": [Key("ctrl+c")],
    b"\x1b[27;2;65~": [Text("A")],
    b"\x1b[91;5u": [Key("esc")],
    b"\x1b[27;5;105~": [Key("tab")],
    b"\x1b[45;6u": [Key("ctrl+-")],
    b"\x1b[15~": [Key("f5")],
    b"\x1bOR": [Key("f3")],
    b"\x1b[1;2Q": [Key("shift+f2")],
    b"\x1b[24;5~": [Key("ctrl+f12")],
    b"\x1b[I": [Report("focus", (1,))],
    b"\x1b[O": [Report("focus", (0,))],
    b"\x1b[12;30R": [Report("cursor", (12, 30))],
    b"\x1b[8;24;80t": [Report("size", (24, 80))],
    b"\x1b[?1u": [],
    b"\x1b]11;rgb:ffff/ffff/dddd\x07x": [Report("background", (255, 255, 221)), Text("x")],
    b"\x1b]11;rgb:1e/1e/2e\x1b\\x": [Report("background", (30, 30, 46)), Text("x")],
    b"\x1b]11;rgba:0000/0000/0000/ffff\x07": [Report("background", (0, 0, 0))],
    b"\x1b]11;rgb:nothing\x07\x1b]10;rgb:ff/ff/ff\x07\x1b]52;c;c2VjcmV0\x1b\\x": [Text("x")],
    b"\x1b]11;rgb:1e1e/1e\x1b[A": [Key("up")],
    "é世👩‍👩‍👧".encode(): [Text("é世👩‍👩‍👧")],
    b"\x1b[200~one\r\ntwo\x1b[A\x1b[201~x": [Paste("one\ntwo\x1b[A"), Text("x")],
    b"\x1b[200~\x1b[201~": [Paste("")],
}

each_case = pytest.mark.parametrize(("data", "events"), CASES.items(), ids=[repr(data) for data in CASES])


def joined(events: list[Event]) -> list[Event]:
    """Text that came in pieces is one text."""
    found: list[Event] = []
    for event in events:
        if isinstance(event, Text) and found and isinstance(found[-1], Text):
            found[-1] = Text(found[-1].text + event.text)
        else:
            found.append(event)
    return found


@each_case
def test_bytes_become_keys(data: bytes, events: list[Event]) -> None:
    decoder = Decoder(LONE_ESC_S)

    assert decoder.feed(data) + decoder.flush() == events


@each_case
def test_it_does_not_matter_where_the_bytes_are_cut(data: bytes, events: list[Event]) -> None:
    for cut in range(1, len(data)):
        decoder = Decoder(LONE_ESC_S)

        found = decoder.feed(data[:cut]) + decoder.feed(data[cut:]) + decoder.flush()

        assert joined(found) == events, cut


def test_a_lone_escape_waits_a_moment_for_its_sequence() -> None:
    decoder = Decoder(LONE_ESC_S)

    assert decoder.feed(b"\x1b") == []
    assert decoder.patience_s == LONE_ESC_S
    assert decoder.flush() == [Key("esc")]
    assert decoder.patience_s is None


def test_a_torn_sequence_is_not_the_escape_key() -> None:
    decoder = Decoder(LONE_ESC_S)

    decoder.feed(b"\x1b[1;")

    assert decoder.patience_s == TORN_S
    assert decoder.flush() == []


def test_a_paste_is_awaited_without_a_limit() -> None:
    decoder = Decoder(LONE_ESC_S)

    decoder.feed(b"\x1b[200~half of it\x1b[20")

    assert decoder.patience_s is None
    assert decoder.flush() == []
    assert decoder.feed(b"1~") == [Paste("half of it")]


def test_a_torn_answer_of_the_terminal_is_waited_for_and_never_text() -> None:
    decoder = Decoder(LONE_ESC_S)

    assert decoder.feed(b"\x1b]11;rgb:1e1e/") == []
    assert decoder.patience_s == ANSWER_S
    assert decoder.feed(b"1e1e/2e2e") == []
    assert decoder.flush() == []
    assert decoder.feed(b"x") == [Text("x")]


def test_alt_and_a_bracket_is_a_key() -> None:
    decoder = Decoder(LONE_ESC_S)

    assert decoder.feed(b"\x1b]") == []
    assert decoder.patience_s == TORN_S
    assert decoder.flush() == [Key("alt+]")]
