"""The list below the composer: opens while a word is typed that can be completed, and completes it."""

from ui.screen.completion import targets
from ui.screen.completion.candidates import Candidate, Matches
from ui.screen.completion.sources import Sources
from ui.screen.completion.targets import Target
from ui.screen.composer.editor import Editor
from ui.screen.terminal import cells
from ui.screen.terminal.keys import Event, Key
from ui.screen.terminal.theme import Theme

ROWS = 8
MARK = "▸ "
NARROW = 50
"""Cells; with fewer the descriptions are left out."""
NOTHING = Matches()
ENDS = ".,;:!?)]}'\""
"""What a sentence puts behind a mention."""


class Popup:
    """A Layer. A word is completed by what is marked; nothing is marked where nothing is typed of an argument yet, so
    that Enter does what it would do without a list.
    """

    def __init__(self, editor: Editor, sources: Sources) -> None:
        self._editor = editor
        self._sources = sources
        self._target: Target | None = None
        self._matches = NOTHING
        self._marked: int | None = None
        self._moved = False
        """The mark is where the user has moved it."""
        self._closed_at: int | None = None
        """Where the word begins that the user wants no list for."""
        self._seen: tuple[str, int] = ("", 0)

    @property
    def open(self) -> bool:
        return self._target is not None and bool(self._matches.candidates or self._matches.note)

    def typed(self) -> None:
        now = (self._editor.text, self._editor.cursor)
        if now == self._seen:
            return
        self._seen = now
        target = targets.at(*now) if self._editor.is_typed_in else None
        if target is None or target.start != self._closed_at:
            self._closed_at = None
            self._follow(target)

    def complete(self) -> None:
        """The word at the caret, also one that was not typed just now; a list opens where several fit."""
        self._closed_at = None
        target = targets.at(self._editor.text, self._editor.cursor)
        self._follow(target)
        if target is not None and len(self._matches.candidates) == 1:
            self._take(target, self._matches.candidates[0])

    def _follow(self, target: Target | None) -> None:
        before, self._target = self._target, target
        if target is None:
            self._matches = NOTHING
            if before is not None and before.kind == "mention":
                self._sources.forget_files()
            return
        if before is None or (before.kind, before.start, before.before) != (target.kind, target.start, target.before):
            self._sources.begin(target)
        self._moved = False
        self.renew()

    def renew(self) -> None:
        """There may be more by now; what is marked stays so."""
        if self._target is None:
            return
        marked = self._candidate if self._moved else None
        self._matches = self._sources.matches(self._target)
        if marked in self._matches.candidates:
            self._marked = self._matches.candidates.index(marked)
        else:
            self._marked = 0 if self._is_meant(self._target) else None

    def _is_meant(self, target: Target) -> bool:
        """The first one. What is only near is for Tab: Enter takes nothing for another that was meant as it stands."""
        if target.kind == "mention":
            return True
        if not target.word and target.kind != "command":
            return False
        first = self._matches.candidates[:1]
        names = [f"{each.shown} {each.text}" if target.kind == "session" else each.text for each in first]
        return any(target.word.casefold() in name.casefold() for name in names)

    @property
    def _candidate(self) -> Candidate | None:
        """That is marked."""
        some = self._matches.candidates
        return some[self._marked] if self._marked is not None and self._marked < len(some) else None

    def key(self, event: Event) -> bool:
        target = self._target
        if target is None:
            return False
        match event:
            case Key(name="esc"):
                self._close()
            case Key(name="up" | "ctrl+p") if self._matches.candidates:
                self._move(-1)
            case Key(name="down" | "ctrl+n") if self._matches.candidates:
                self._move(1)
            case Key(name="tab") if self._matches.candidates:
                self._take(target, self._candidate or self._matches.candidates[0])
            case Key(name="enter") if (candidate := self._candidate) is not None:
                return self._enter(target, candidate)
            case _:
                return False
        return True

    def _close(self) -> None:
        self._closed_at = self._target.start if self._target is not None else None
        self._follow(None)

    def _move(self, step: int) -> None:
        count, self._moved = len(self._matches.candidates), True
        at = self._marked if self._marked is not None else -1 if step > 0 else 0
        self._marked = (at + step) % count

    def _enter(self, target: Target, candidate: Candidate) -> bool:
        """Whether the key has done all that it is to do: what is complete is run, or sent where nothing is changed."""
        names = target.kind in ("mention", "session")
        if names and self._editor.text[target.start : target.end].rstrip(ENDS) == candidate.text:
            self._close()
            return False
        is_whole = self._editor.text[target.start : target.end] == candidate.text
        if target.kind == "argument" and is_whole:
            self._close()
            return False
        self._take(target, candidate)
        return candidate.goes_on or names

    def _take(self, target: Target, candidate: Candidate) -> None:
        blank = "" if candidate.text.endswith("/") or candidate.text.count('"') == 1 else " "
        self._editor.complete(target.start, target.end, candidate.text + blank)
        self.typed()

    def rows(self, width: int, room: int, theme: Theme) -> list[str]:
        some = self._matches.candidates
        count = min(ROWS, room, len(some))
        first = min(max((self._marked or 0) - count + 1, 0), max(len(some) - count, 0))
        shown = some[first : first + count]
        widest = max((cells.width(each.label) for each in shown), default=0)
        widest = min(widest, max(width - 4 if width < NARROW else width // 2, 10))
        drawn = [self._row(each, first + at == self._marked, widest, width, theme) for at, each in enumerate(shown)]
        if self._matches.note and len(drawn) < room:
            drawn.append(theme.paint("dim", cells.clip(f"  {self._matches.note}", width)))
        if shown and self._matches.total > count:
            drawn[len(shown) - 1] = self._with_number(drawn[len(shown) - 1], width, theme)
        return drawn

    def _row(self, candidate: Candidate, marked: bool, widest: int, width: int, theme: Theme) -> str:
        label = cells.clip(candidate.label, widest)
        label = (MARK if marked else " " * len(MARK)) + label + " " * (widest - cells.width(label))
        about = candidate.about if width >= NARROW else ""
        room = width - cells.width(label) - 2
        said = theme.paint("dim", cells.clip(f"  {about}", room)) if about and room > 8 else ""
        return (theme.paint("busy", label) if marked else label) + said

    def _with_number(self, row: str, width: int, theme: Theme) -> str:
        number = f" {(self._marked or 0) + 1} of {self._matches.total}"
        row = cells.clip(row, width - len(number))
        return row + " " * (width - len(number) - cells.width(row)) + theme.paint("dim", number)
