"""What a key means now: events of the keyboard in, intents out. It owns the draft and the questions; no I/O."""

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from ui.common.attached_files import AttachedFile, dropped
from ui.common.own_shell import shell_line
from ui.screen.composer.editor import Draft, Editor
from ui.screen.composer.history import History
from ui.screen.composer.history_search import HistorySearch
from ui.screen.composer.keymap import DEFAULTS, Binding, KeyMap, begins, pressed
from ui.screen.composer.last_words import LastWords
from ui.screen.composer.layer import Layer
from ui.screen.intents import (
    Command,
    CycleMode,
    EditOutside,
    GoBack,
    Intent,
    Interrupt,
    Leave,
    OpenPager,
    Repaint,
    Send,
    Shell,
    Suspend,
    TakeBack,
)
from ui.screen.questions.queue import ANSWERING, Questions
from ui.screen.shown import Reach
from ui.screen.terminal.keys import Event, Key, Paste, Report, Text

if TYPE_CHECKING:  # imported where it is wanted
    from ui.screen.composer.vi.modal import Vi

TWICE_S = 1.0
"""Ctrl-C again within this quits."""
TWICE_ESC_S = 0.4


class Controls:
    def __init__(
        self,
        history: History,
        reach: Callable[[], Reach],
        files_in: Callable[[str], tuple[AttachedFile, ...]] = dropped,
        keys: KeyMap = DEFAULTS,
        queued: Callable[[], bool] = lambda: False,
    ) -> None:
        """reach: of Esc, as things stand. files_in: those that a paste names. queued: a prompt waits."""
        self.editor = Editor()
        self.history = history
        self.keys = keys
        self.vi = self._vi() if keys.vi else None
        self.questions = Questions(keys)
        self.history_search = HistorySearch(self.editor, history)
        self._last_words = LastWords(self.editor, history)
        self.layers: list[Layer] = [self.history_search]
        """The first one that is open has the keys of the composer."""
        self.complete: Callable[[], None] = lambda: None
        """The word at the caret, where no layer is open."""
        self.width = 80
        """Cells of a composer row."""
        self.focused = True
        self.escaped = False
        """The last key was the Esc that ends the turn."""
        self.all_steps = False
        """The agent's list is shown a row each."""
        self._anywhere, self._composing = keys.by_key(ANYWHERE), keys.by_key(COMPOSING)
        self._nothing_typed = keys.by_key(COMPOSING, NOTHING_TYPED)
        self._begun = ""
        """The first of two keys that mean something together."""
        self._now = float("-inf")
        """When the last key came."""
        self._escaped_at = float("-inf")
        """When Esc was pressed last with nothing to end and nothing typed."""
        self._reach = reach
        self._queued = queued
        self._files_in = files_in
        self._before_history = Draft("")
        self._typed_at = float("-inf")
        self._interrupted_at = float("-inf")

    def _vi(self) -> "Vi":
        from ui.screen.composer.vi.modal import Vi

        return Vi(self.editor)

    @property
    def esc_ends_insert(self) -> bool:
        """Or a command of vi that is not finished."""
        return self.vi is not None and self.composing and self.vi.takes_esc

    def hint(self, now: float) -> str:
        if now < self._interrupted_at + TWICE_S:
            return "ctrl+c again quits"
        return f"{self._begun} …" if self._begun else ""

    def wakes_at(self, now: float) -> float:
        """When the screen looks different without any event."""
        until = self._interrupted_at + TWICE_S
        return until if until > now else float("inf")

    @property
    def written(self) -> Editor:
        """That the keys go into."""
        return self.editor if self.composing else self.questions.text

    @property
    def composing(self) -> bool:
        """What is typed goes into the composer: there is no question, or something was being written when it came."""
        if self.questions.listing:
            return False  # the draft waits below it
        return self.questions.current is None or (bool(self.editor.text) and not self.questions.writing)

    def handle(self, event: Event, now: float) -> list[Intent]:
        if isinstance(event, Report):
            if event.kind == "focus":
                self.focused = event.numbers == (1,)
            return []
        self.escaped = False
        self._now = now
        if act := self._anywhere.get(pressed(event)):
            self._begun = self.questions.session_keys.doomed = ""
            return act(self, now)
        if self.questions.current is None:
            return self._compose(event, now)
        if self.questions.listing:
            return self._find(event, now)
        if now < self.questions.listens_at(self._typed_at if self.editor.text else float("-inf")):
            return self._too_early(event, now)
        if (self.composing and not self._answers(event)) or self._begins_command(event):
            return self._compose(event, now)
        if self.questions.writing and self._composing.get(pressed(event)) is Controls.edit_outside:
            return [] if self.questions.secret else self.edit_outside()
        answer = self.questions.key(event)
        return [] if answer is None else [answer]

    def _find(self, event: Event, now: float) -> list[Intent]:
        """In a list, which its user has opened."""
        answer = None if self.questions.is_too_early(event, now) else self.questions.key(event)
        return [] if answer is None else [answer]

    def _answers(self, event: Event) -> bool:
        """Although there is a draft."""
        if event == Key("enter"):
            return self.questions.tabbed
        if event == Key("esc") and self.esc_ends_insert:
            return False
        return isinstance(event, Key) and event.name in ANSWERING

    def _begins_command(self, event: Event) -> bool:
        """A slash means nothing to a question: so what a command does to whoever asks can be had before its answer."""
        return isinstance(event, Text) and event.text.startswith("/") and not self.questions.writing

    def interrupt(self, now: float) -> list[Intent]:
        """Ctrl-C, or SIGINT from outside."""
        again = now < self._interrupted_at + TWICE_S
        self._interrupted_at = now
        if again:
            return [Leave(at_once=True)]
        if (reach := self._reach()) in ("turn", "view"):
            return [Interrupt() if reach == "turn" else GoBack()]
        if self.editor.text:
            self.history.add(self.editor.expanded)
            self._begin_anew()
        return []

    def _begin_anew(self) -> None:
        self.editor.clear()
        if self.vi is not None:
            self.vi.begin()

    def _too_early(self, event: Event, now: float) -> list[Intent]:
        """The key was meant for what was there before the question: typing goes on, the rest is not heard."""
        if event == Key("esc") and not self.esc_ends_insert:
            return self.escape()
        typed = self.editor.text.strip()
        meant = event != Key("enter") or (bool(typed) and is_command(typed) and not self._answers(event))
        if self.editor.text and meant and not self.questions.secret:
            return self._compose(event, now)
        return []

    @property
    def layer(self) -> Layer | None:
        """That is open."""
        return next((layer for layer in self.layers if layer.open), None)

    def _compose(self, event: Event, now: float) -> list[Intent]:
        taken = not self._begun and self.layer is not None and self.layer.key(event)
        intents = [] if taken else self._composed(event, now)
        for layer in self.layers:
            layer.typed()
        return intents

    def _composed(self, event: Event, now: float) -> list[Intent]:
        if self.vi is None or self._begun:
            return self._edited(event, now)
        self._typed_at = now if isinstance(event, Text) else self._typed_at
        return [intent for one in self.vi.meant(event, self.width) for intent in self._edited(one, now)]

    def _edited(self, event: Event, now: float) -> list[Intent]:
        acts = self._composing if self.editor.text else self._nothing_typed
        if self._begun and (second := pressed(event)):
            together, self._begun = f"{self._begun} {second}", ""
            return acts[together](self) if together in acts else []
        self._begun = ""
        match event:
            case Key(name=name) if act := acts.get(name):
                return act(self)
            case Key(name=name) if begins(name, acts):
                self._begun = name
            case Paste(text=text) if files := self._files_in(text):
                for file in files:
                    self.editor.attach(file)
                self._typed_at = now
            case _:
                if self.keys.edit(self.editor, event) and isinstance(event, Text | Paste):
                    self._typed_at = now
        return []

    def suspend(self, now: float) -> list[Intent]:  # noqa: ARG002
        return [Suspend()]

    def suspends(self, event: Event) -> bool:
        return self._anywhere.get(pressed(event)) is Controls.suspend

    def repaint(self, now: float) -> list[Intent]:  # noqa: ARG002
        return [Repaint()]

    def leave(self) -> list[Intent]:
        return [Leave()]

    def edit_outside(self) -> list[Intent]:
        return [EditOutside()]

    def list_agents(self) -> list[Intent]:
        return [Command("/agents")]

    def copy_answer(self) -> list[Intent]:
        if not self.editor.kills:
            return [Command("/copy")]
        self.editor.yank()
        return []

    def complete_word(self) -> list[Intent]:
        self.complete()
        return []

    def choose_model(self) -> list[Intent]:
        return [Command("/model")]

    def choose_effort(self) -> list[Intent]:
        return [Command("/effort")]

    def paste_image(self) -> list[Intent]:
        return [Command("/attach")]

    def cycle_mode(self) -> list[Intent]:
        return [CycleMode()]

    def search_history(self) -> list[Intent]:
        self.history_search.begin()
        return []

    def insert_last_word(self) -> list[Intent]:
        self._last_words.insert()
        return []

    def toggle_steps(self) -> list[Intent]:
        self.all_steps = not self.all_steps
        return []

    def open_pager(self, now: float) -> list[Intent]:  # noqa: ARG002
        return [OpenPager()]

    def enter_next(self) -> list[Intent]:
        if self._reach() != "turn" or not self.editor.text.strip():
            self.editor.insert("\n")
            return []
        return [replace(one, kind="next") if isinstance(one, Send) else one for one in self.enter()]

    def enter(self) -> list[Intent]:
        editor = self.editor
        if editor.text[: editor.cursor].endswith("\\"):
            editor.delete_back()
            editor.insert("\n")
            return []
        given = editor.expanded
        text = given.strip()
        if not text:
            return []
        self.history.add(given)
        sent = Send(text, editor.attached, editor.draft)
        self._begin_anew()
        if (shell := shell_line(given))[0]:
            return [Shell(text, *shell, sent.draft)]
        return [Command(text) if is_command(given) else sent]

    def escape(self) -> list[Intent]:
        match self._reach():
            case "view":
                return [GoBack()]
            case "turn":
                self.escaped = True
                return [Interrupt()]
            case "agent":
                return [Interrupt()]
            case "agents":
                return [Interrupt(scope="tree")]
            case "nothing":
                return self._escaped_idly()

    def _escaped_idly(self) -> list[Intent]:
        """Twice in a row it leads to an earlier place of the session; with a draft it means nothing."""
        again = self._now < self._escaped_at + TWICE_ESC_S
        self._escaped_at = float("-inf") if again or self.editor.text else self._now
        return [Command("/tree")] if again and not self.editor.text else []

    def older(self) -> list[Intent]:
        if self._queued() and not self.editor.text:
            return [TakeBack()]
        if self.editor.up(self.width):
            return []
        if not self.history.walking:
            self._before_history = self.editor.draft
        if (text := self.history.older(self.editor.expanded)) is not None:
            self.editor.replace(text)
        return []

    def newer(self) -> list[Intent]:
        if self.editor.down(self.width) or (text := self.history.newer()) is None:
            return []
        if self.history.walking:
            self.editor.replace(text)
        else:
            self.editor.restore(self._before_history)
        return []


ANYWHERE: tuple[Binding[Callable[[Controls, float], list[Intent]]], ...] = (
    Binding(
        ("ctrl+c",), Controls.interrupt,
        "interrupt the agent; when it is idle: put the draft away (up brings it back); twice within a second: quit",
    ),
    Binding(("ctrl+o",), Controls.open_pager, "open the whole transcript: arguments, output, diffs, thinking, search"),
    Binding(("ctrl+z",), Controls.suspend, "back to the shell; `fg` goes on with the session"),
    Binding(("ctrl+l",), Controls.repaint, "draw the screen anew"),
)  # fmt: skip
COMPOSING: tuple[Binding[Callable[[Controls], list[Intent]]], ...] = (
    Binding(("enter",), Controls.enter, "send; while the agent works: steer it; behind a backslash: a new line"),
    Binding(
        ("alt+enter",), Controls.enter_next, "while the agent works: send it when the turn is over; else a new line"
    ),
    Binding(
        ("esc",),
        Controls.escape,
        "interrupt the agent; when it is idle: cancel its agents in the background; in one's session: back; "
        "twice, with nothing to end and nothing typed: /tree",
    ),
    Binding(("up", "ctrl+p"), Controls.older, "a row up, then an earlier prompt; nothing typed: take back what waits"),
    Binding(("down", "ctrl+n"), Controls.newer, "a row down; in the last one: a later prompt"),
    Binding(("ctrl+r",), Controls.search_history, "search the earlier prompts of this folder"),
    Binding(
        ("alt+.",),
        Controls.insert_last_word,
        "the last word of the prompt before; again: of the one before that instead",
    ),
    Binding(
        ("tab",), Controls.complete_word, "complete the word at the cursor: a command, what it takes, a file behind @"
    ),
    Binding(("shift+tab",), Controls.cycle_mode, "the next mode"),
    Binding(("ctrl+t",), Controls.toggle_steps, "the agent's list of steps: in one row, or all of it"),
    Binding(("alt+m",), Controls.choose_model, "another model"),
    Binding(("alt+t",), Controls.choose_effort, "how hard it thinks"),
    Binding(("ctrl+v", "alt+v"), Controls.paste_image, "attach the image that is in the clipboard"),
    Binding(
        ("ctrl+g",),
        Controls.edit_outside,
        "what is being written, also with an answer, in your own editor: $VISUAL, else $EDITOR",
    ),
    Binding(("ctrl+x a",), Controls.list_agents, "the subagents of this session"),
)
NOTHING_TYPED: tuple[Binding[Callable[[Controls], list[Intent]]], ...] = (
    Binding(
        ("ctrl+d",), Controls.leave, "when nothing is typed: quit; while agents work in the background: asks first"
    ),
    Binding(("ctrl+y",), Controls.copy_answer, "when nothing is typed and nothing was cut: copy of the last answer"),
)


def is_command(text: str) -> bool:
    """A path is none: /etc/passwd."""
    if shell_line(text)[0]:
        return True
    word = text.split(maxsplit=1)[0]
    return word.startswith("/") and word.count("/") == 1 and len(word) > 1 and "\n" not in text.strip()
