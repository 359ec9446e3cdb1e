"""The pager's keys and rows, over pages as the store gives them; no terminal and no store."""

from pathlib import Path

from actors.messages.conversation import (
    AssistantMessage,
    Body,
    Entry,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
    UserMessage,
)
from tests.ui.screen.terminals import PLAIN
from ui.screen.composer.keymap import DEFAULTS, KeyMap
from ui.screen.keyboard import user_keys
from ui.screen.pager.frame import bare
from ui.screen.pager.pager import Close, Copy, Pager
from ui.screen.pager.window import HELD, Page
from ui.screen.terminal import cells
from ui.screen.terminal.keys import Event, Key
from ui.screen.terminal.keys import Text as Typed

OUTPUT = "\n".join(f"line {number}" for number in range(1, 101))
CALL = ToolCall(call_id="c", name="bash", arguments='{"command": "seq 100\\n# all of them"}')
TURN: tuple[Body, ...] = (
    UserMessage(text="count", turn_id="t", prompt_id="p"),
    AssistantMessage(blocks=(Thinking(text="I think\nfor long"), CALL), stop_reason="tool_calls", model="p/m"),
    ToolResult(call_id="c", name="bash", output=OUTPUT, summary="exit 0, 100 lines"),
    AssistantMessage(blocks=(Text(text="It is **100**."),), stop_reason="end_turn", model="p/m"),
)


def entries(*bodies: Body, first: int = 0) -> list[Entry]:
    return [
        Entry(id=f"e{at}", session_id="s", parent=f"e{at - 1}" if at else "", body=body, at=0.0)
        for at, body in enumerate(bodies, first)
    ]


def opened(*bodies: Body, keys: KeyMap = DEFAULTS) -> Pager:
    pager = Pager(lambda: None, PLAIN, keys)
    pager.window.start(Page(entries(*bodies)))
    pager.order = None
    pager.to_last()
    return pager


def press(pager: Pager, *events: Event) -> object:
    done: object = None
    for event in events:
        done = pager.key(event)
        pager.rows(60, 20)
    return done


def seen(pager: Pager, width: int = 60, height: int = 20) -> list[str]:
    return [bare(row).rstrip() for row in pager.rows(width, height)[0]]


def test_it_opens_at_the_latest_block_with_as_much_before_it_as_there_is_room_for() -> None:
    rows = seen(opened(*TURN))

    assert rows[-4:-1] == ["", "◆ Answer It is **100**.", "It is 100."]
    assert rows[-5] == "  │ line 100"
    assert len(rows) == 20


def test_every_word_is_there_from_the_beginning_to_the_end() -> None:
    pager = opened(*TURN)
    press(pager, Key("home"))
    rows = seen(pager, height=200)

    assert rows[0] == "❯ You count"
    assert [row for row in rows if row.startswith("  │ ")] == [f"  │ {line}" for line in OUTPUT.split("\n")]
    assert {"  for long", "  seq 100", "  # all of them"} <= set(rows)


def test_enter_folds_a_block_and_a_number_all_of_its_kind() -> None:
    pager = opened(*TURN)
    press(pager, Key("home"), Key("enter"))
    assert " ".join(seen(pager)[0].split()) == "❯ You count … 1 line"

    press(pager, Typed("2"), Typed("1"))
    assert any(row.startswith("● bash seq 100") and row.endswith("… 102 lines") for row in seen(pager))
    assert not any("│ line" in row for row in seen(pager))

    press(pager, Typed("2"))
    assert any("│ line" in row for row in seen(pager))


def test_a_search_finds_the_latest_first_unfolds_it_and_says_when_there_is_no_more() -> None:
    pager = opened(*TURN)
    press(pager, Typed("2"), Typed("/line 77"), Key("enter"))
    assert bare(pager.layout.text(pager.at)) == "  │ line 77"

    press(pager, Typed("n"))
    assert pager.order == "older_match"


def test_what_the_cursor_is_in_is_copied_exactly_and_a_heading_is_all_of_it() -> None:
    pager = opened(*TURN)
    press(pager, Typed("/line 50"), Key("enter"))

    assert press(pager, Typed("y")) == Copy(OUTPUT)
    press(pager, Typed("/seq 100"), Key("enter"), Key("up"))
    assert press(pager, Typed("y")) == Copy(f"seq 100\n# all of them\n\n{OUTPUT}")


def test_what_is_too_long_for_a_clipboard_is_told() -> None:
    pager = opened(*TURN[:2], ToolResult(call_id="c", name="bash", output="x" * 100_000), TURN[3])
    press(pager, Typed("/xxx"), Key("enter"))

    assert press(pager, Typed("y")) is None
    assert "not copied: 100,0" in pager.told


def test_q_and_esc_close_it() -> None:
    for key in (Typed("q"), Key("esc"), Key("ctrl+o")):
        assert isinstance(press(opened(*TURN), key), Close)


def test_no_row_is_wider_than_the_screen_and_nothing_steers_the_terminal_at_any_size() -> None:
    hostile = "\x1b[2J\x1b]52;c;aGk=\a \u202egnp.exe " + "世界" * 300 + "x" * 1_000_000 + "\r\n\x9b31m"
    call = ToolCall(call_id="h", name=hostile[:40], arguments=hostile)
    said = AssistantMessage(
        blocks=(Thinking(text=hostile), Text(text=hostile), call), stop_reason="tool_calls", model="m"
    )
    result = ToolResult(call_id="h", name="x", output=hostile, summary=hostile[:80], warning=hostile[:80])
    pager = opened(UserMessage(text=hostile, turn_id="t", prompt_id="p"), said, result)
    for width, height in ((20, 6), (80, 24), (7, 2), (1, 1)):
        for key in (Key("home"), Key("pagedown"), Key("pagedown"), Key("end"), Key("pageup")):
            press(pager, key)
            pager.layout.resize(width)
            rows = seen(pager, width, height)
            assert len(rows) == height
            assert all(cells.width(row) <= width for row in rows)
            assert not any(character < " " or "\x7f" <= character < "\xa0" for row in rows for character in row)


def test_what_is_said_meanwhile_is_followed_at_the_end_and_moves_nothing_elsewhere() -> None:
    pager = opened(*TURN)
    more = entries(UserMessage(text="again", turn_id="u", prompt_id="q"), first=4)
    press(pager, Key("home"))
    before = seen(pager)

    assert pager.window.grow(more)
    pager.gathered()

    assert seen(pager) == before
    press(pager, Key("end"))
    assert seen(pager)[-3:-1] == ["❯ You again", "  again"]
    assert not pager.window.grow(entries(TURN[0], first=9))


def test_of_a_long_session_a_few_pages_are_held_and_the_place_stays() -> None:
    bodies = [UserMessage(text=f"prompt {number}", turn_id="t", prompt_id=f"p{number}") for number in range(1000)]
    whole = entries(*bodies)
    pages = [Page(whole[at : at + 50]) for at in range(0, 1000, 50)]
    pager = Pager(lambda: None, PLAIN)
    pager.window.start(pages[-1])
    pager.order = None
    pager.to_last()

    for page in pages[-2::-1]:
        press(pager, Key("home"))
        text = bare(pager.layout.text(pager.at))
        assert pager.order == "first"
        pager.order = None
        pager.window.add_before(page)
        pager.gathered()
        assert bare(pager.layout.rows(pager.layout.valid(pager.at))[-1]) == text
        assert len(pager.blocks) <= HELD * 50

    assert pager.window.begins
    for page in pages[HELD:]:
        assert pager.window.later == ("" if page is pages[-1] else page.end)
        pager.window.add_behind(page)
        pager.gathered()
    assert pager.window.ends
    assert bare(pager.layout.rows(pager.layout.end(len(pager.blocks) - 1))[-1]) == "  prompt 999"


def test_it_has_the_keys_that_its_user_gave_it_and_says_so(tmp_path: Path) -> None:
    (tmp_path / "keys.toml").write_text('[pager]\nfold = "ctrl+x f"\ncopy = []\nlook-for = ["?", "/"]\n')
    keys, mistakes = user_keys.load(tmp_path)
    pager = opened(*TURN, keys=keys)

    press(pager, Key("home"), Key("enter"))
    unfolded = seen(pager)[0]
    press(pager, Key("ctrl+x"), Typed("f"))

    assert mistakes == []
    assert unfolded == "❯ You count"
    assert " ".join(seen(pager)[0].split()) == "❯ You count … 1 line"
    assert "".join(seen(pager)[-1:]).strip() == "q close · ctrl+x f fold · ? search · 1 thinking · 2 calls"
    press(pager, Typed("?"))
    assert pager.searching


def test_it_can_be_closed_before_anything_of_it_was_read() -> None:
    pager = Pager(lambda: None, PLAIN)

    assert pager.key(Typed("y")) is None
    assert isinstance(pager.key(Typed("q")), Close)
