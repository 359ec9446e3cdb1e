"""The editor over wrapped rows, against a model that is a list of atoms, laid out anew for every question."""

from dataclasses import dataclass, field

import wcwidth
from hypothesis import given, settings
from hypothesis import strategies as st

from ui.screen.composer.editor import FIRST_MARKER, Editor

LOG = "line\n" * 30
LABEL, PASTE = "[pasted 31 lines]", chr(FIRST_MARKER)
LETTERS = [
    *("a", "b", "_", " ", " ", "\n", "words and more ", "  \n "),
    *("é", "世", "👩‍👩‍👧", "🇩🇪", "ﷺ", "e\u0301", "\u0301", "\u200d"),
]
MOVES = ["left", "right", "line_start", "line_end", "up", "up", "down", "down"]
CHANGES = ["delete_back", "delete_forward", "kill_line", "kill_line_back", "paste"]
ACTIONS = st.lists(
    st.one_of(st.sampled_from(LETTERS).map(lambda text: ("insert", text)), st.sampled_from([*MOVES, *CHANGES])),
    max_size=40,
)


@dataclass
class Model:
    """What an editor does, said slowly."""

    width: int
    text: str = ""
    """Every paste is the same character in it."""
    cursor: int = 0
    """Characters before it."""
    aim: int | None = None
    """Cells from the left that vertical moves keep to."""
    moved: bool = field(default=True, init=False)

    def atoms(self, start: int = 0, stop: int | None = None) -> list[str]:
        return list(wcwidth.iter_graphemes(self.text[start:stop]))

    def ends(self) -> list[int]:
        """Where a cursor may stand."""
        places = [0]
        for atom in self.atoms():
            places.append(places[-1] + len(atom))
        return places

    def rows(self) -> list[tuple[int, int]]:
        """Beginning and end of each; a line's last row ends at its newline."""
        found, start = [], 0
        for line in self.text.split("\n"):
            end = start + len(line)
            while (cut := self.cut(start, end)) < end:
                found.append((start, cut))
                start = cut
            found.append((start, end))
            start = end + 1
        return found

    def cut(self, start: int, end: int) -> int:
        """As much as fits, up to its last blank where that is not all; what is too wide has a row for itself."""
        at, used, blank = start, 0, 0
        for atom in self.atoms(start, end):
            if used + size(atom) > self.width and at > start:
                return blank or at
            at, used = at + len(atom), used + size(atom)
            blank = at if atom == " " else blank
        return end

    def caret(self) -> tuple[int, int]:
        rows = self.rows()
        row = max(at for at, (start, _) in enumerate(rows) if start <= self.cursor)
        return row, sum(map(size, self.atoms(rows[row][0], self.cursor)))

    def vertical(self, step: int) -> None:
        rows, (row, cell) = self.rows(), self.caret()
        aim = cell if self.aim is None else self.aim
        self.moved = 0 <= row + step < len(rows)
        if not self.moved:
            return
        start, end = rows[row + step]
        begins_next = row + step + 1 < len(rows) and rows[row + step + 1][0] == end
        there = [place for place in self.ends() if start <= place <= end and not (begins_next and place == end)]
        self.cursor = max(place for place in there if sum(map(size, self.atoms(start, place))) <= aim)
        self.aim = aim

    def put(self, text: str, start: int, end: int) -> None:
        self.text = self.text[:start] + text + self.text[end:]
        self.cursor = min(place for place in self.ends() if place >= start + len(text))

    def do(self, action: str | tuple[str, str]) -> None:
        at, ends = self.cursor, self.ends()
        before = max((place for place in ends if place < at), default=0)
        behind = min((place for place in ends if place > at), default=at)
        first, last = self.text.rfind("\n", 0, at) + 1, (self.text + "\n").index("\n", at)
        if action in ("up", "down"):
            self.vertical(-1 if action == "up" else 1)
            return
        self.aim = None
        match action:
            case ("insert", text):
                self.put(text, at, at)
            case "paste":
                self.put(PASTE, at, at)
            case "left" | "right" | "line_start" | "line_end":
                self.cursor = {"left": before, "right": behind, "line_start": first, "line_end": last}[str(action)]
            case "delete_back":
                self.put("", before, at)
            case "delete_forward":
                self.put("", at, behind)
            case "kill_line":
                self.put("", at, last if last > at else behind)
            case "kill_line_back":
                self.put("", first if first < at else before, at)


def size(atom: str) -> int:
    return len(LABEL) if atom[0] == PASTE else wcwidth.width(atom)


def do(editor: Editor, action: str | tuple[str, str], width: int) -> bool:
    match action:
        case ("insert", text):
            editor.insert(text)
        case "paste":
            editor.paste(LOG)
        case "up":
            return editor.up(width)
        case "down":
            return editor.down(width)
        case _:
            getattr(editor, str(action))()
    return True


@given(ACTIONS, st.integers(min_value=2, max_value=30))
@settings(max_examples=300, deadline=None)
def test_every_key_does_what_the_model_does(actions: list[str | tuple[str, str]], width: int) -> None:
    editor, model = Editor(), Model(width)

    for action in actions:
        moved = do(editor, action, width)
        model.do(action)

        text = "".join(PASTE if character in editor.pastes else character for character in editor.text)
        assert (text, editor.cursor) == (model.text, model.cursor), action
        assert [(row.start, row.end) for row in editor.layout(width)] == model.rows()
        assert editor.caret(width) == model.caret()
        if action in ("up", "down"):
            assert moved == model.moved
