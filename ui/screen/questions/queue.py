"""Questions of the gate: which one is shown and what a key means for it. No I/O; how it looks is in panel.py."""

from collections.abc import Callable
from dataclasses import dataclass

import msgspec

from actors.messages.tool import Choice, UserAsked
from ui.screen.composer.editor import Draft, Editor
from ui.screen.composer.keymap import DEFAULTS, Binding, KeyMap, pressed
from ui.screen.questions.filter import Filter
from ui.screen.questions.seen_rows import Reading
from ui.screen.questions.session_keys import SESSION_LISTS, SessionKeys, Wish
from ui.screen.terminal.keys import Event, Key, Text

DEAF_S = 0.25
"""After it is on the screen a question takes no keys at first: they were meant for what was there before."""
ANSWERING = ("esc", "tab", "shift+tab", "pageup", "pagedown")
"""Keys for the question also while there is a draft in the composer, and Enter after Tab: all else goes on into the
draft, for a pause for thought is no answer."""
IN_ROWS = ("list", *SESSION_LISTS)
"""Kinds that one of many is chosen from."""
UNREAD = ("question", *IN_ROWS)
"""Kinds that let nothing happen, whatever is answered."""
LIST_PAGE = 10
"""Choices of a list that a page has."""
TYPING_S = 0.5
"""Nor so soon after something was typed into the composer."""


@dataclass(frozen=True)
class Answer:
    number: int
    """Of the question."""
    choice: str
    """Its id."""
    text: str = ""


class Note(msgspec.Struct, frozen=True):
    """What is being written with an answer: it comes back with its question, whoever died meanwhile."""

    call_id: str = ""
    choice: str = ""
    draft: Draft = Draft("")


class Questions:
    """Those that wait, in the order they came; the first is shown."""

    def __init__(self, keys: KeyMap = DEFAULTS) -> None:
        self._keys = keys
        self._answering, self._noting, self._finding = keys.by_key(ANSWERS), keys.by_key(NOTES), keys.by_key(LISTS)
        self._waiting: dict[int, UserAsked] = {}
        self._number = 0
        self._asked = 0
        self._answered = 0
        self._shown_at = float("inf")
        self._kept = Note()
        self.chosen = 0
        """The place of the choice that is marked."""
        self.text = Editor()
        """What is written with an answer."""
        self.writing = False
        """The keys go into the text."""
        self.reading = Reading()
        """Of the shown one."""
        self.filter = Filter()
        """Of a list: what is typed to find a choice."""
        self.session_keys = SessionKeys(keys)
        """Of a list of sessions."""
        self.tabbed = False
        """The mark was moved by a key that means nothing else."""
        self.hurried = False
        """It was to be allowed before all of it was on the screen."""

    @property
    def current(self) -> UserAsked | None:
        return next(iter(self._waiting.values()), None)

    @property
    def number(self) -> int | None:
        """Of the shown one."""
        return next(iter(self._waiting), None)

    @property
    def askers(self) -> set[str]:
        """The subagents that wait for an answer, by name."""
        return {question.asker for question in self._waiting.values() if question.asker}

    @property
    def listing(self) -> bool:
        """A list is shown, to choose one of."""
        return self.current is not None and self.current.kind in IN_ROWS

    @property
    def waits(self) -> bool:
        """Somebody waits for an answer, who is not the user."""
        return any(question.kind not in IN_ROWS for question in self._waiting.values())

    @property
    def choice(self) -> Choice | None:
        """The one that is marked; a list may have become empty."""
        return None if self.current is None else next(iter(self.current.choices[self.chosen :]), None)

    @property
    def secret(self) -> bool:
        """What is typed now is for nobody's eyes, and for no draft."""
        return self.writing and self.choice is not None and self.choice.secret

    @property
    def must_be_read(self) -> bool:
        """All of the shown one, before anything but a no is given."""
        return self.current is not None and self.current.kind not in UNREAD

    @property
    def place(self) -> tuple[int, int]:
        """The shown one is the first of these two, of so many."""
        return self._answered + 1, self._asked

    @property
    def note(self) -> Note:
        """What must not be lost."""
        if self.choice is None or self.choice.secret or not self.text.text:
            return self._kept
        return self.begun

    @property
    def begun(self) -> Note:
        """What is being written with an answer, also where it is nothing yet."""
        if self.current is None or self.choice is None:
            return Note()
        return Note(self.current.call.call_id, self.choice.id, self.text.draft)

    def add(self, question: UserAsked, *, at_once: bool = False) -> int:
        """Returns its number. at_once: the user has just asked for it, and the others wait."""
        first = not self._waiting
        self._number += 1
        if at_once and not first:
            self._kept = self.note
            self._waiting = {self._number: question, **self._waiting}
        else:
            self._waiting[self._number] = question
        if first:
            self._asked = self._answered = 0
        if first or at_once:
            self._show_next()
        self._asked += 1
        return self._number

    def renew(self, question: UserAsked) -> None:
        """One that waits, as it is now: the mark and what was read stay. A list of sessions may have other choices."""
        number = next((number for number, one in self._waiting.items() if one.call == question.call), None)
        if number is None:
            return
        if number == self.number and question.kind in SESSION_LISTS:
            self._mark_again(self._waiting[number], question)
        self._waiting[number] = question

    def _mark_again(self, before: UserAsked, question: UserAsked) -> None:
        """The same one, else what is now at its place in the list. What was asked about it is asked no more."""
        marked, places = self.choice, self.filter.places(before.choices)
        place = places.index(self.chosen) if self.chosen in places else 0
        now = self.filter.places(question.choices)
        same = [at for at in now if marked is not None and question.choices[at].id == marked.id]
        self.chosen = next(iter([*same, *now[place:], *now[-1:]]), 0)
        self.session_keys.doomed, self._shown_at = "", float("inf")

    def remove(self, number: int, *, answered: bool = False) -> None:
        """It was answered or withdrawn. What was written for a withdrawn one waits until it is asked again."""
        shown = next(iter(self._waiting), None) == number
        if shown and not answered:
            self._kept = self.note
        if self._waiting.pop(number, None) is not None:
            self._answered += 1
        if shown:
            self._show_next()

    def recall(self, note: Note) -> None:
        """From an earlier life of the screen."""
        if not self.text.text:
            self.bring_back(note)

    def bring_back(self, note: Note) -> None:
        """With its question; where that is not asked now, once it is asked again."""
        self._kept = note
        self._bring_back()

    def painted(self, now: float) -> None:
        """The frame that was drawn last is on the screen."""
        if self.reading.painted():
            self._shown_at = min(self._shown_at, now)

    def covered(self) -> None:
        """Nothing of it is on the screen any more, or it has to be there once more before it takes keys."""
        self._shown_at = float("inf")

    def listens_at(self, typed_at: float) -> float:
        """When the shown question begins to take keys; never before it is on the screen."""
        return max(self._shown_at + DEAF_S, typed_at + TYPING_S)

    def is_too_early(self, event: Event, now: float) -> bool:
        """In a list only what ends it, or something in it, can have been meant for what was there before."""
        confirms = self.session_keys.confirms(event)
        early = (confirms or event == Key("enter")) and now < self.listens_at(float("-inf"))
        if early and confirms:
            self.covered()  # a key that is held never says yes
        return early

    def key(self, event: Event) -> Answer | Wish | None:
        """A key for the shown question."""
        number, question = next(iter(self._waiting.items()))
        if question.kind in IN_ROWS:
            return self._find(number, question, event)
        if self.writing:
            return self._write(number, question, event)
        if isinstance(event, Text) and len(event.text) > 1:
            self._hear_together(question, event.text)
            return None
        if isinstance(event, Text) and (at := _named(question, event.text)) is not None:
            return self._take(number, question, at)
        act = self._answering.get(pressed(event))
        return None if act is None else act(self, number, question)

    def _find(self, number: int, question: UserAsked, event: Event) -> Answer | Wish | None:
        """In a list: what is typed leaves those that are meant, and marks the first of them."""
        if question.kind in SESSION_LISTS and self.session_keys.takes(event):
            self._shown_at = float("inf")  # what is asked about a session has to be seen before it is answered
            return self.session_keys.key(event, number, self._found_id(question))
        if act := self._finding.get(event.name if isinstance(event, Key) else ""):
            return act(self, number, question)
        if self._keys.edit_line(self.filter.typed, event):
            self.chosen = next(iter(self.filter.places(question.choices)), self.chosen)
        return None

    def _write(self, number: int, question: UserAsked, event: Event) -> Answer | None:
        if act := self._noting.get(pressed(event)):
            return act(self, number, question)
        self._keys.edit(self.text, event)
        return None

    def _hear_together(self, question: UserAsked, text: str) -> None:
        """Characters that came at once move, or open the text of a "no" for the rest; none answers, see DECISIONS."""
        for start, character in enumerate(text):
            if self.writing:
                self._keys.edit(self.text, Text(text[start:]))
                return
            named = None if (at := _named(question, character)) is None else question.choices[at]
            if not (character in self._answering if named is None else named.takes_text and named.refuses):
                return
            self.key(Text(character))

    def take_marked(self, number: int, question: UserAsked) -> Answer | None:
        return self._take(number, question, self.chosen)

    def decline(self, number: int, question: UserAsked) -> Answer | None:
        return Answer(number, question.escape)

    def next_page(self, number: int, question: UserAsked) -> None:  # noqa: ARG002
        self.reading.scroll(self.reading.page)

    def page_before(self, number: int, question: UserAsked) -> None:  # noqa: ARG002
        self.reading.scroll(-self.reading.page)

    def down(self, number: int, question: UserAsked) -> None:  # noqa: ARG002
        """Through the rest of the page, then through the choices: they stand below it."""
        if not self.reading.at_end:
            self.reading.scroll(1)
        else:
            self.chosen = min(self.chosen + 1, len(question.choices) - 1)

    def up(self, number: int, question: UserAsked) -> None:  # noqa: ARG002
        if self.chosen:
            self.chosen -= 1
        else:
            self.reading.scroll(-1)

    def mark_next(self, number: int, question: UserAsked) -> None:  # noqa: ARG002
        self.chosen, self.tabbed = (self.chosen + 1) % len(question.choices), True

    def mark_before(self, number: int, question: UserAsked) -> None:  # noqa: ARG002
        self.chosen, self.tabbed = (self.chosen - 1) % len(question.choices), True

    def take_found(self, number: int, question: UserAsked) -> Answer | None:
        found = self._found_id(question)
        return Answer(number, found) if found else None

    def _found_id(self, question: UserAsked) -> str:
        """Of the marked one; "" where nothing is left to be marked."""
        return question.choices[self.chosen].id if self.chosen in self.filter.places(question.choices) else ""

    def close(self, number: int, question: UserAsked) -> Answer | None:
        return Answer(number, question.escape, self.filter.typed.text)

    def next_found(self, number: int, question: UserAsked) -> None:  # noqa: ARG002
        self._mark_found(question, 1)

    def found_before(self, number: int, question: UserAsked) -> None:  # noqa: ARG002
        self._mark_found(question, -1)

    def found_page_on(self, number: int, question: UserAsked) -> None:  # noqa: ARG002
        self._mark_found(question, LIST_PAGE)

    def found_page_back(self, number: int, question: UserAsked) -> None:  # noqa: ARG002
        self._mark_found(question, -LIST_PAGE)

    def _mark_found(self, question: UserAsked, by: int) -> None:
        """Within what is left of the list."""
        if places := self.filter.places(question.choices):
            self.chosen = places[max(min(places.index(self.chosen) + by, len(places) - 1), 0)]

    def send_note(self, number: int, question: UserAsked) -> Answer | None:
        text = self.text.expanded.strip()
        if (text or question.kind != "question") and self._may_give(question, self.chosen):
            return Answer(number, question.choices[self.chosen].id, text)
        return None

    def give_note_up(self, number: int, question: UserAsked) -> Answer | None:
        if self.secret:
            return self.decline(number, question)
        self.writing, self.chosen = False, _place(question, question.default)
        return None

    def _take(self, number: int, question: UserAsked, at: int) -> Answer | None:
        self.chosen = at
        if not self._may_give(question, at):
            return None
        if question.choices[at].takes_text:
            self.writing = True
            return None
        return Answer(number, question.choices[at].id)

    def _may_give(self, question: UserAsked, at: int) -> bool:
        """Nobody allows what was never on the screen. What the agent asks lets nothing happen, whatever is answered."""
        if self.reading.whole or question.kind in UNREAD or question.choices[at].refuses:
            return True
        self.hurried = True
        return False

    def _show_next(self) -> None:
        self._shown_at, self.text, self.writing = float("inf"), Editor(), False
        self.reading, self.filter, self.hurried, self.tabbed = Reading(), Filter(), False, False
        self.session_keys.doomed = ""
        if (question := self.current) is not None:
            self.chosen = _place(question, question.default)
            # a secret is pasted, and letters of it would be answers
            self.writing = self.choice is not None and self.choice.secret
            self._bring_back()

    def _bring_back(self) -> None:
        if (question := self.current) is None or question.call.call_id != self._kept.call_id:
            return
        self.chosen = _place(question, self._kept.choice)
        self.text.restore(self._kept.draft)
        self.writing = question.choices[self.chosen].takes_text
        self._kept = Note()


Act = Callable[[Questions, int, UserAsked], Answer | None]
ANSWERS: tuple[Binding[Act], ...] = (
    Binding(("enter",), Questions.take_marked, "give the marked answer"),
    Binding(("esc",), Questions.decline, "no, or no answer"),
    Binding(("pagedown", " "), Questions.next_page, "the next page of what is asked about"),
    Binding(("pageup",), Questions.page_before, "the page before"),
    Binding(("down", "ctrl+n"), Questions.down, "a row on; at the end: mark the next answer"),
    Binding(("up", "ctrl+p"), Questions.up, "mark the answer before; at the first one: a row back"),
    Binding(("tab", "j"), Questions.mark_next, "mark the next answer"),
    Binding(("shift+tab", "k"), Questions.mark_before, "mark the answer before"),
)
NOTES: tuple[Binding[Act], ...] = (
    Binding(("enter",), Questions.send_note, "give the answer with what was written"),
    Binding(("esc",), Questions.give_note_up, "back to the answers, without it"),
)
LISTS: tuple[Binding[Act], ...] = (
    Binding(("enter",), Questions.take_found, "take the marked one"),
    Binding(("esc",), Questions.close, "close the list"),
    Binding(("down", "ctrl+n", "tab"), Questions.next_found, "mark the next one"),
    Binding(("up", "ctrl+p", "shift+tab"), Questions.found_before, "mark the one before"),
    Binding(("pagedown",), Questions.found_page_on, "ten on"),
    Binding(("pageup",), Questions.found_page_back, "ten back"),
)


def _named(question: UserAsked, text: str) -> int | None:
    """The place of the choice with this key; else of the one with this number."""
    keys = [choice.key.casefold() for choice in question.choices]
    if text.casefold() in keys:
        return keys.index(text.casefold())
    numbers = [str(number) for number in range(1, len(keys) + 1)]
    return numbers.index(text) if text in numbers else None


def _place(question: UserAsked, choice: str) -> int:
    return next((at for at, one in enumerate(question.choices) if one.id == choice), 0)
