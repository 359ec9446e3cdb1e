"""What commands do to the text. Each leaves the cursor where vi does, or behind the last character of a line."""

from ui.screen.composer.boundaries import after, before, line_end, line_start
from ui.screen.composer.editor import Editor
from ui.screen.composer.vi.motions import left, right
from ui.screen.composer.vi.places import indented, is_empty_line
from ui.screen.composer.vi.spans import Span

LONGEST = 100_000
"""Characters that a count may put in."""


def delete(editor: Editor, span: Span) -> None:
    text = editor.text
    keep(editor, span)
    begin, end = span.begin, span.end
    if span.lines and end < len(text):
        end += 1
    elif span.lines and begin > 0:
        begin -= 1
    editor.exchange(begin, end, "")
    if span.lines:
        at = min(span.begin, len(editor.text))
        editor.go(indented(editor.text, at))


def change(editor: Editor, span: Span) -> None:
    """The cursor is where the new text goes."""
    keep(editor, span)
    editor.exchange(span.begin, span.end, "")


def keep(editor: Editor, span: Span) -> None:
    """To be put elsewhere; whole lines end with a newline."""
    text = editor.text[span.begin : span.end] + "\n" * span.lines
    if text:
        editor.keep(text)


def yank(editor: Editor, span: Span) -> None:
    keep(editor, span)
    text, column = editor.text, editor.cursor - line_start(editor.text, editor.cursor)
    editor.go(min(span.begin + column, line_end(text, span.begin)) if span.lines else span.begin)


def put(editor: Editor, count: int, *, in_front: bool) -> None:
    """What was cut last."""
    cut = editor.kills[-1] if editor.kills else ""
    text, at = editor.text, editor.cursor
    if not cut:
        return
    count = affordable(count, cut)
    if cut.endswith("\n"):
        at = line_start(text, at) if in_front else line_end(text, at)
        editor.exchange(at, at, cut * count if in_front else f"\n{cut[:-1]}" * count)
        editor.go(indented(editor.text, at if in_front else at + 1))
        return
    at = at if in_front or is_empty_line(text, at) else after(text, at)
    editor.exchange(at, at, cut * count)
    editor.go(at if "\n" in cut else before(editor.text, editor.cursor))


def affordable(count: int, text: str) -> int:
    return max(min(count, LONGEST // max(len(text), 1)), 1)


def toggle_case(editor: Editor, count: int) -> None:
    end = right(editor.text, editor.cursor, count)
    editor.exchange(editor.cursor, end, editor.text[editor.cursor : end].swapcase())


def replace(editor: Editor, count: int, character: str) -> None:
    """Nothing where there are fewer in the line."""
    text, end = editor.text, editor.cursor
    for _ in range(count):
        if end >= line_end(text, end):
            return
        end = after(text, end)
    editor.exchange(editor.cursor, end, "")
    editor.insert(character * count)
    editor.go(left(editor.text, editor.cursor, 1))


def join(editor: Editor, count: int) -> None:
    """So many lines, two at least, with a blank between."""
    for _ in range(max(count - 1, 1)):
        text = editor.text
        end = line_end(text, editor.cursor)
        if end == len(text):
            return
        behind = end + 1
        while behind < len(text) and text[behind] in " \t":
            behind += 1
        last = text[max(end - 1, line_start(text, end)) : end]
        nothing = last in ("", " ", "\t") or text[behind : behind + 1] in ("", "\n", ")")
        editor.exchange(end, behind, "" if nothing else " ")
        editor.go(end)


def begin_insert(editor: Editor, how: str) -> None:
    """how: i, a, I, A, o or O."""
    text, at = editor.text, editor.cursor
    start, end = line_start(text, at), line_end(text, at)
    match how:
        case "a":
            editor.go(min(after(text, at), end))
        case "I":
            line = text[start:end]
            editor.go(start + len(line) - len(line.lstrip()))
        case "A":
            editor.go(end)
        case "o":
            editor.exchange(end, end, "\n")
        case "O":
            editor.exchange(start, start, "\n")
            editor.go(start)
        case _:
            return  # where the cursor is
