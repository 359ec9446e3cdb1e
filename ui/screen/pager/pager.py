"""What the keys of the pager mean, and what it wants of the store: keys in, orders out. No I/O."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from actors.common.plurals import how_many
from actors.messages.tool import UserAsked
from ui.screen.composer.editor import Editor
from ui.screen.composer.key_names import plain
from ui.screen.composer.keymap import DEFAULTS, Binding, KeyMap, begins, pressed
from ui.screen.pager import frame, telling
from ui.screen.pager.block import Block, Kind
from ui.screen.pager.frame import Order
from ui.screen.pager.place import Layout, Place
from ui.screen.pager.window import Window
from ui.screen.terminal.keys import Event, Text
from ui.screen.terminal.theme import Theme
from ui.screen.terminal.tty import MOST_COPIED


@dataclass(frozen=True)
class Copy:
    """Into the clipboard of the terminal."""

    text: str


class Close:
    """The pager."""


class Pager:
    def __init__(self, question: Callable[[], UserAsked | None], theme: Theme, keys: KeyMap = DEFAULTS) -> None:
        """question: that is open now."""
        self.window = Window(self._moved)
        self.theme = theme
        self.layout = Layout(lambda: self.blocks, theme)
        self.order: Order | None = "last"
        self.at = Place(0)
        """Of the cursor."""
        self.row = 0
        """Of the screen, that it is on."""
        self.height = 1
        """Rows of blocks that are seen."""
        self.search = Editor()
        self.searching = False
        """What is looked for is being typed."""
        self.needle = ""
        self.told = ""
        """In the last row, until the next key."""
        self._question = question
        self._keys, self._acts = keys, keys.by_key(KEYS, FOLDS)
        self._begun = ""
        """The first of two keys that mean something together."""
        self._asked: UserAsked | None = None
        self._blocks: Sequence[Block] = ()

    @property
    def blocks(self) -> Sequence[Block]:
        """Of the window; behind the last one what is asked now."""
        return self._blocks

    @property
    def at_end(self) -> bool:
        """The cursor is in the last block of the session."""
        return self.window.ends and self.at.block >= len(self._blocks) - 1

    def gathered(self) -> None:
        """The window, or what is asked, is another one."""
        question = self._question()
        last = self._blocks[-1:]
        if question != self._asked or not last or last[0].kind != "question":
            self._asked = question
            asked = [telling.asked(question)] if question is not None else []
        else:
            asked = [*last]
        self._blocks = [*self.window.blocks, *asked] if self.window.ends else self.window.blocks
        self.layout.forget()

    def to_last(self) -> None:
        """The beginning of the latest block, with as much before it as there is room for."""
        self.gathered()
        self.at, self.row = Place(max(len(self._blocks) - 1, 0)), 0

    def _moved(self, blocks: int) -> None:
        self.at = Place(max(self.at.block + blocks, 0), self.at.piece, self.at.row)

    def rows(self, width: int, height: int) -> tuple[list[str], tuple[int, int]]:
        """As high as the screen, and where the cursor is."""
        if self._question() != self._asked:
            self.gathered()
        return frame.draw(self, width, height)

    def key(self, event: Event) -> Copy | Close | None:
        """Characters that came at once are keys one by one."""
        if self.searching or not isinstance(event, Text):
            return self._key(event)
        for at, character in enumerate(event.text):
            if self.searching:
                return self._key(Text(event.text[at:]))
            if (done := self._key(Text(character))) is not None:
                return done
        return None

    def _key(self, event: Event) -> Copy | Close | None:
        self.told = ""
        if self.searching:
            self._typed(event)
            return None
        if isinstance(self.order, str) and self.order.endswith("match"):
            self.order = None  # any key ends a search
            if pressed(event) == "esc":
                return None
        key = f"{self._begun} {pressed(event)}" if self._begun else pressed(event)
        self._begun = key if begins(key, self._acts) else ""
        act = self._acts.get(key)
        return act(self) if act and (self._blocks or act is Pager.close) else None

    @property
    def hints(self) -> list[str]:
        """Keys and what they do, the most needed first."""
        first = {binding.act: plain(keys[0]) for binding in (*KEYS, *FOLDS) if (keys := self._keys.keys(binding))}
        close, *others = [f"{first[act]} {word}" for act, word in HINTS if act in first]
        looked = [f"{first[act]} {word}" for act, word in MATCHES if act in first and self.needle]
        return [close, *([f"{self.needle!r}: {looked[0]}", *looked[1:]] if looked else []), *others]

    def _typed(self, event: Event) -> None:
        match pressed(event):
            case "esc" | "ctrl+c":
                self.searching = False
            case "enter":
                self.searching = False
                self.needle = self.search.text.strip() or self.needle
                self.older_match()
            case _:
                self._keys.edit_line(self.search, event)

    def close(self) -> Close:
        return Close()

    def copy(self) -> Copy | None:
        text = self._blocks[self.at.block].source_at(self.at.piece)
        size = len(text.encode(errors="replace"))
        if size > MOST_COPIED or not text:
            many = f"{how_many(size, 'byte')}, too many for a clipboard; trouper sessions export has them"
            why = many if text else "there is nothing"
            self.told = f"not copied: {why}"
            return None
        self.told = f"copied {how_many(size, 'byte')}, if this terminal lets programs copy"
        return Copy(text)

    def fold(self) -> None:
        self.layout.turn(self._blocks[self.at.block])
        self.at = Place(self.at.block)

    def _fold_kind(self, kind: Kind) -> None:
        self.layout.turn_kind(kind)
        self.at = Place(self.at.block)

    def fold_thinking(self) -> None:
        self._fold_kind("thinking")

    def fold_calls(self) -> None:
        self._fold_kind("call")

    def fold_answers(self) -> None:
        self._fold_kind("answer")

    def fold_notes(self) -> None:
        self._fold_kind("note")

    def down(self) -> None:
        self._go(1)

    def up(self) -> None:
        self._go(-1)

    def page_down(self) -> None:
        self._go(max(self.height - 1, 1))

    def page_up(self) -> None:
        self._go(1 - max(self.height, 2))

    def _go(self, rows: int) -> None:
        for _ in range(abs(rows)):
            there = self.layout.next(self.at) if rows > 0 else self.layout.before(self.at)
            if there is None:
                break
            self.at = there
        if abs(rows) == 1:
            self.row = min(max(self.row + rows, 0), self.height - 1)
        else:
            self.row = 0 if rows < 0 else self.row

    def home(self) -> None:
        self.at, self.row = Place(0), 0
        if not self.window.begins:
            self.order = "first"

    def end(self) -> None:
        if self.window.ends:
            self.at, self.row = self.layout.end(len(self._blocks) - 1), self.height - 1
        else:
            self.order = "last"

    def look_for(self) -> None:
        self.search, self.searching = Editor(), True

    def older_match(self) -> None:
        self._look("older_match")

    def newer_match(self) -> None:
        self._look("newer_match")

    def _look(self, order: Order) -> None:
        """First in what is held; the rest the store has."""
        if self.needle and not self.find(older=order == "older_match"):
            self.order = order

    def find(self, *, older: bool) -> bool:
        """The next match in the window, from the cursor; what it is in is unfolded."""
        at = self.at.block
        found = self._match(range(at, -1, -1) if older else range(at, len(self._blocks)), older=older)
        if found is None:
            return False
        self.layout.unfold(self._blocks[found.block])
        rows = self.layout.rows(found)
        needle = self.needle.casefold()
        row = next((row for row, text in enumerate(rows) if needle in frame.bare(text).casefold()), 0)
        self.at, self.row = Place(found.block, found.piece, row), self.height // 3
        return True

    def _match(self, blocks: range, *, older: bool) -> Place | None:
        needle, here = self.needle.casefold(), (self.at.block, self.at.piece)
        for at in blocks:
            pieces = [piece for piece, text in enumerate(frame.said(self._blocks[at])) if needle in text]
            found = [piece for piece in pieces if ((at, piece) < here if older else (at, piece) > here)]
            if found:
                return Place(at, found[-1 if older else 0])
        return None


KEYS: tuple[Binding[Callable[[Pager], Copy | Close | None]], ...] = (
    Binding(("up", "k", "ctrl+p"), Pager.up, "a row up"),
    Binding(("down", "j", "ctrl+n"), Pager.down, "a row down"),
    Binding(("pageup", "ctrl+b", "b"), Pager.page_up, "a page up"),
    Binding(("pagedown", "ctrl+f", " "), Pager.page_down, "a page down"),
    Binding(("home", "g"), Pager.home, "to the beginning of the session"),
    Binding(("end", "G"), Pager.end, "to its end, where it follows what is said"),
    Binding(("enter",), Pager.fold, "fold or unfold a block"),
    Binding(("/",), Pager.look_for, "search; enter looks for it, the latest first"),
    Binding(("n",), Pager.older_match, "the match before"),
    Binding(("N",), Pager.newer_match, "the match behind"),
    Binding(("y",), Pager.copy, "copy what the cursor is in, exactly; at the heading of a block all of it"),
    Binding(("q", "esc", "ctrl+o", "ctrl+c", "ctrl+d"), Pager.close, "close the pager"),
)
FOLDS: tuple[Binding[Callable[[Pager], Copy | Close | None]], ...] = (
    Binding(("1",), Pager.fold_thinking, "fold or unfold all thinking"),
    Binding(("2",), Pager.fold_calls, "all calls"),
    Binding(("3",), Pager.fold_answers, "all answers"),
    Binding(("4",), Pager.fold_notes, "all notes"),
)
HINTS: tuple[tuple[Callable[[Pager], Copy | Close | None], str], ...] = (
    (Pager.close, "close"),
    (Pager.fold, "fold"),
    (Pager.look_for, "search"),
    (Pager.copy, "copy"),
    (Pager.fold_thinking, "thinking"),
    (Pager.fold_calls, "calls"),
    (Pager.fold_answers, "answers"),
    (Pager.fold_notes, "notes"),
    (Pager.home, "first"),
    (Pager.end, "last"),
)
"""In the last row: what a key does, in a word."""
MATCHES = (Pager.older_match, "before"), (Pager.newer_match, "behind")
"""The same, once something is looked for."""
