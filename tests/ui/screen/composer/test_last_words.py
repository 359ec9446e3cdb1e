"""Alt-. against a model that keeps whole texts: the one it began in, and how often it was pressed since."""

from dataclasses import dataclass, field

from hypothesis import given, settings
from hypothesis import strategies as st

from ui.screen.composer.editor import Editor
from ui.screen.composer.history import History
from ui.screen.composer.keymap import KeyMap
from ui.screen.controls import Controls
from ui.screen.terminal.keys import Decoder, Key, Text

PROMPTS = ["run the tests", "fix src/a.py", "世界", "look at  src/b.py:12\n", "\u0301x"]
ALT_DOT = Key("alt+.")


def controls(*prompts: str, keys: KeyMap | None = None) -> Controls:
    return Controls(History(list(prompts)), lambda: "nothing", keys=keys or KeyMap())


def pressed(desk: Controls, *events: Key | Text) -> str:
    """The text then, with a bar in front of the cursor."""
    for event in events:
        desk.handle(event, 0.0)
    text, at = desk.editor.text, desk.editor.cursor
    return f"{text[:at]}|{text[at:]}"


def test_it_takes_the_last_word_of_the_prompt_before_and_then_of_those_before_that() -> None:
    desk = controls("one two", "three src/a.py")

    assert pressed(desk, Text("look at "), ALT_DOT) == "look at src/a.py|"
    assert pressed(desk, ALT_DOT) == "look at two|"
    assert pressed(desk, ALT_DOT) == "look at two|"


def test_it_is_one_step_for_undo_and_begins_anew_after_any_other_key() -> None:
    desk = controls("one two", "three four")

    assert pressed(desk, Text("a "), ALT_DOT, ALT_DOT, Key("ctrl+_")) == "a |"
    assert pressed(desk, Key("alt+_")) == "a two|"
    assert pressed(desk, ALT_DOT) == "a twofour|"
    assert pressed(desk, Text("!"), Key("ctrl+_"), Key("ctrl+_")) == "a two|"


def test_what_stands_behind_the_cursor_stays_there() -> None:
    desk = controls("one two", "three four")

    assert pressed(desk, Text("ab"), Key("left"), ALT_DOT, ALT_DOT) == "atwo|b"


def test_while_prompts_are_walked_through_it_begins_before_the_one_that_is_shown() -> None:
    desk = controls("one two", "three four", "five six")

    assert pressed(desk, Key("up"), Key("up"), Text(" "), ALT_DOT) == "three four two|"


def test_without_earlier_prompts_it_does_nothing() -> None:
    assert pressed(controls(), Text("a"), ALT_DOT) == "a|"
    assert pressed(controls(" \n"), Text("a"), ALT_DOT) == "a|"


def test_a_line_that_came_back_marked_is_replaced() -> None:
    desk = controls("one two", "three four")
    desk.editor.mark("/modle x")

    assert pressed(desk, ALT_DOT, ALT_DOT) == "two|"
    assert pressed(desk, Key("ctrl+_")) == "/modle x|"


def test_terminals_send_it_as_escape_and_a_dot_or_by_its_number() -> None:
    assert Decoder(0.01).feed(b"\x1b.\x1b[46;3u") == [ALT_DOT, ALT_DOT]


def test_while_one_types_in_vi_it_is_escape_and_the_command_dot() -> None:
    assert pressed(controls("one two", keys=KeyMap(vi=True)), Text("ab"), ALT_DOT) == "a|b"


@dataclass
class Model:
    """What Alt-. and typing do, said slowly: texts are (in front of the cursor, behind it)."""

    words: list[str]
    """The latest first."""
    now: tuple[str, str] = ("", "")
    began_in: tuple[str, str] = ("", "")
    times: int = 0
    """Pressed in a row."""
    undo: list[tuple[str, str]] = field(default_factory=list)
    typing: bool = False

    def do(self, action: str) -> None:
        if action == "alt+.":
            if self.times == 0:
                self.began_in = self.now
                self.undo.append(self.now)
            self.times = min(self.times + 1, len(self.words))
            self.now = (self.began_in[0] + self.words[self.times - 1], self.began_in[1])
        elif action == "ctrl+_":
            self.now = self.undo.pop() if self.undo else self.now
        elif action == "home":
            self.now = ("", "".join(self.now))
        else:
            if not self.typing:
                self.undo.append(self.now)
            self.now = (self.now[0] + action, self.now[1])
        self.times = self.times if action == "alt+." else 0
        self.typing = action in "ab "


@given(st.lists(st.sampled_from(["alt+.", "alt+.", "a", "b", " ", "home", "ctrl+_"]), max_size=30))
@settings(max_examples=200, deadline=None)
def test_every_key_does_what_the_model_does(actions: list[str]) -> None:
    desk, model = controls(*PROMPTS[:2], *PROMPTS[3:4]), Model(["src/b.py:12", "src/a.py", "tests"])

    for action in actions:
        shown = pressed(desk, Text(action) if action in "ab " else Key(action))
        model.do(action)

        assert shown == "|".join(model.now), action


@given(st.lists(st.sampled_from(PROMPTS)), st.sampled_from(["", "a", "e", "世 "]), st.sampled_from(["", "b"]))
def test_undo_gives_back_what_was_there_whatever_is_in_the_prompts(
    prompts: list[str], in_front: str, behind: str
) -> None:
    desk = controls(*prompts)
    desk.editor.replace(in_front + behind)
    desk.editor.go(len(in_front))
    before = pressed(desk)

    for _ in prompts:
        pressed(desk, ALT_DOT)
    pressed(desk, *[Key("ctrl+_")] * bool(prompts))

    assert pressed(desk) == before


def test_the_editor_knows_what_would_be_replaced() -> None:
    editor = Editor()
    editor.recall("one")
    recalling = editor.is_recalling
    editor.left()

    assert (recalling, editor.is_recalling) == (True, False)
