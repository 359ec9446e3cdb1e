"""Stored screens of the pager: `python -m tests.ui.screen.golden_pager` writes them anew."""

from actors.messages.turn import EntryAdded
from tests.ui.screen import golden
from tests.ui.screen.terminals import PLAIN
from ui.screen.composer.history import History
from ui.screen.controls import Controls
from ui.screen.pager.pager import Pager
from ui.screen.pager.window import Page
from ui.screen.session_view import SessionView
from ui.screen.terminal.keys import Key
from ui.screen.terminal.theme import Theme

NAME = "pager"


def opened(width: int, theme: Theme) -> Pager:
    """The pager over what has been said in the state `tools`: its first block folded, the cursor in the second."""
    pager = Pager(lambda: None, theme)
    heard = golden.tools(SessionView(), Controls(History([]), lambda: "nothing"))
    said = [event.entry for event in heard if isinstance(event, EntryAdded)]
    pager.window.start(Page(said))
    pager.order = None
    pager.to_last()
    for key in (Key("home"), Key("enter"), Key("down")):
        pager.rows(width, golden.HEIGHT)
        pager.key(key)
    return pager


def paged(width: int) -> str:
    rows, (row, column) = opened(width, PLAIN).rows(width, golden.HEIGHT)
    bare = [golden.SGR.sub("", one).rstrip() for one in rows]
    padded = bare[row].ljust(column + 1)
    bare[row] = padded[:column] + "▌" + padded[column + 1 :]
    return "\n".join(one.rstrip() for one in bare) + "\n"


def styled(look: str, width: int) -> str:
    rows = opened(width, golden.worn(look)).rows(width, golden.HEIGHT)[0]
    return "\n".join(golden.SGR.sub(r"⟨\1⟩", row).replace("⟨0⟩", "⟨⟩").rstrip() for row in rows) + "\n"


def smallest() -> str:
    columns, rows = golden.SMALLEST
    return "\n".join(golden.SGR.sub("", row).rstrip() for row in opened(columns, PLAIN).rows(columns, rows)[0]) + "\n"


def main() -> None:
    for width in golden.WIDTHS:
        golden.path(NAME, width).write_text(paged(width))
    for look in golden.STYLED:
        for width in golden.STYLED_WIDTHS:
            golden.styled_path(NAME, look, width).write_text(styled(look, width))
    golden.smallest_path(NAME).write_text(smallest())


if __name__ == "__main__":
    main()
