"""keys.toml: what counts of it, and what is said about the rest."""

from itertools import combinations
from pathlib import Path

import pytest

from ui.screen.composer.history import History
from ui.screen.composer.keymap import Binding, KeyMap
from ui.screen.controls import Controls
from ui.screen.intents import CycleMode, Interrupt, Send, Suspend
from ui.screen.keyboard.contexts import ALL, BY_NAME
from ui.screen.keyboard.key_text import key_text
from ui.screen.keyboard.user_keys import load
from ui.screen.keyboard.wishes import WAYS_OUT
from ui.screen.terminal.keys import Key, Text

NAMES = {
    "anywhere": {"interrupt", "suspend", "repaint"},
    "composing": {
        *("enter", "enter-next", "escape", "older", "newer", "cycle-mode", "toggle-steps", "list-agents", "leave"),
        *("search-history", "complete-word", "choose-model", "choose-effort", "paste-image", "copy-answer"),
        "insert-last-word",
    },
    "editing": {
        *("left", "right", "word-left", "word-right", "line-start", "line-end", "new-line", "delete-back"),
        *("delete-forward", "kill-line", "kill-line-back", "kill-word-back", "kill-word-forward", "yank"),
        *("yank-other", "undo", "redo"),
    },
    "question": {
        *("take-marked", "decline", "next-page", "page-before", "down", "up", "mark-next", "mark-before"),
    },
    "note": {"send-note", "give-note-up"},
    "pager": {
        *("up", "down", "page-up", "page-down", "home", "end", "fold", "look-for", "older-match", "newer-match"),
        *("copy", "close", "fold-thinking", "fold-calls", "fold-answers", "fold-notes"),
    },
}


def written(home: Path, text: str) -> tuple[KeyMap, list[str]]:
    (home / "keys.toml").write_text(text)
    keys, mistakes = load(home)
    return keys, [mistake.removeprefix(f"{home / 'keys.toml'}: ") for mistake in mistakes]


def binding(context: str, action: str) -> Binding[object]:  # type: ignore[type-var]  # of any function
    return next(one for one in BY_NAME[context].bindings if one.action == action)


def test_names_that_stand_in_peoples_files_are_kept() -> None:
    """A name that is not here any more makes a line of theirs count no longer."""
    gone = [known - {one.action for one in BY_NAME[name].bindings} for name, known in NAMES.items()]

    assert set().union(*gone) == set()


def test_a_name_means_one_action_and_a_key_is_bound_once_in_a_table() -> None:
    for context in ALL:
        names = [one.action for one in context.bindings]
        keys = [key for one in context.bindings for key in one.keys]

        assert (len(set(names)), len(set(keys))) == (len(names), len(keys)), context.name


def test_what_is_bound_anywhere_is_bound_nowhere_else() -> None:
    """It would not be heard there."""
    anywhere = BY_NAME["anywhere"]
    first = {key for one in anywhere.bindings for key in one.keys}
    there = [one for name in anywhere.beside for one in BY_NAME[name].bindings]

    assert [one.action for one in there if first & set(one.keys)] == []


def test_contexts_know_of_one_another() -> None:
    assert [(a.name, b.name) for a, b in combinations(ALL, 2) if (a.name in b.beside) != (b.name in a.beside)] == []


def test_without_a_file_all_is_as_it_is(tmp_path: Path) -> None:
    keys, mistakes = load(tmp_path)

    assert mistakes == []
    assert [one for context in ALL for one in context.bindings if keys.keys(one) != one.keys] == []


def test_keys_are_changed_added_and_taken_away(tmp_path: Path) -> None:
    keys, mistakes = written(
        tmp_path,
        '[composing]\ncycle-mode = "Alt+O"\nlist-agents = []\n[anywhere]\nsuspend = ["f2", "ctrl+z"]\n'
        '[question]\nmark-next = ["tab", "j", "l"]\n[editing]\nundo = "ctrl+x u"\n',
    )
    controls = Controls(History([]), lambda: "nothing", keys=keys)

    assert mistakes == []
    assert controls.handle(Key("alt+o"), 0.0) == [CycleMode()]
    assert controls.handle(Key("shift+tab"), 0.0) == []
    assert controls.handle(Key("f2"), 0.0) == controls.handle(Key("ctrl+z"), 0.0) == [Suspend()]
    assert keys.keys(binding("question", "mark-next")) == ("tab", "j", "l")


def test_two_actions_change_places(tmp_path: Path) -> None:
    keys, mistakes = written(tmp_path, '[editing]\nkill-line = "ctrl+u"\nkill-line-back = "ctrl+k"\n')

    assert mistakes == []
    assert keys.keys(binding("editing", "kill-line")) == ("ctrl+u",)


def test_enter_and_the_new_line_change_places(tmp_path: Path) -> None:
    """As people have it who write long prompts."""
    keys, mistakes = written(
        tmp_path,
        '[composing]\nenter = "alt+enter"\nenter-next = "alt+q"\n[note]\nsend-note = "alt+enter"\n'
        '[editing]\nnew-line = ["enter", "ctrl+j"]\n',
    )
    controls = Controls(History([]), lambda: "nothing", keys=keys)

    for event in (Text("a"), Key("enter"), Text("b")):
        controls.handle(event, 0.0)

    assert mistakes == []
    assert controls.handle(Key("alt+enter"), 0.0) == [Send("a\nb")]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[composer]\nenter = "f2"', "[composer] is no place where keys count; did you mean composing?"),
        ('send = "f2"', "[send] is no place where keys count; there are: anywhere, "),
        ('[composing]\ncycle_mod = "f2"', '[composing] has no action "cycle_mod"; did you mean cycle-mode?'),
        ('[composing]\nenter = "ctrl+wombat"', '[composing] enter: "ctrl+wombat" is no key; it has to be a key, such'),
        ("[composing]\nenter = 3", "[composing] enter: it has to be a key, such as"),
        ('[editing]\nundo = "u"', '[editing] undo: "u" is text there; use it with ctrl or alt.'),
        ('[editing]\nundo = "space"', '[editing] undo: "space" is text there'),
        ('[editing]\nundo = "ctrl+z"', "[editing] undo: ctrl+z is that of suspend [anywhere]: give that one another"),
        ('[composing]\nenter = "ctrl+k"', "[composing] enter: ctrl+k is that of kill-line [editing]: "),
        ('[editing]\nundo = "ctrl+x"', "[editing] undo: ctrl+x is that of list-agents [composing]: "),
        ('[anywhere]\ninterrupt = "f1"', "[anywhere] interrupt: it keeps ctrl+c, else there might be no way out: "),
        ("[composing]\nescape = []", "[composing] escape: it keeps esc, else there might be no way out: "),
        ('[question]\ndecline = "q"', "[question] decline: it keeps esc"),
        ('[editing]\nundo = "esc"', "[editing] undo: esc is that of escape [composing]: "),
        ("[composing", "keys.toml is not valid TOML: "),
    ],
)
def test_mistakes_are_told_and_the_default_counts(tmp_path: Path, text: str, said: str) -> None:
    keys, mistakes = written(tmp_path, text)

    assert len(mistakes) == 1
    assert said in mistakes[0]
    assert [one for context in ALL for one in context.bindings if keys.keys(one) != one.keys] == []


def test_one_mistake_costs_nothing_else(tmp_path: Path) -> None:
    keys, mistakes = written(tmp_path, '[composing]\ncycle-mode = "ctrl+c"\ntoggle-steps = "f4"\n')

    assert mistakes == [
        "[composing] cycle-mode: ctrl+c is that of interrupt [anywhere]: give that one another key, too. "
        "The default counts: shift+tab."
    ]
    assert keys.keys(binding("composing", "toggle-steps")) == ("f4",)


def test_whatever_is_written_esc_and_ctrl_c_stay(tmp_path: Path) -> None:
    """Each action in turn is given both."""
    for context in ALL:
        for one in context.bindings:
            keys, _ = written(tmp_path, f'[{context.name}]\n{one.action} = ["esc", "ctrl+c", "f9"]\n')

            for other in ALL:
                for its in other.bindings:
                    assert set(its.keys) & set(WAYS_OUT) <= set(keys.keys(its))
            controls = Controls(History([]), lambda: "turn", keys=keys)
            assert controls.handle(Key("ctrl+c"), 0.0) == [Interrupt()]


def test_keys_shows_what_counts(tmp_path: Path) -> None:
    keys, _ = written(tmp_path, '[composing]\nlist-agents = []\ncycle-mode = "alt+o"\n')

    rows = [" ".join(row.split()) for row in key_text(keys, tmp_path).split("\n")]

    assert "cycle-mode alt+o: the next mode" in rows
    assert any(row.startswith("list-agents no key: ") for row in rows)
    assert rows[-1].startswith("Other keys: ")
