"""The table of actors: what each row says, how it is lined up, and what of it fits a terminal."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.messages.system import ActorState, Tree
from ui.cli.actor_table import Seen, fitting, rows
from ui.common.harmless import one_line
from ui.screen.terminal import cells
from ui.screen.terminal.theme import theme

PLAIN = theme(colour=False)
BEGAN = 1000.0


def _bare(row: str) -> str:
    return re.sub(r"\x1b\[[0-9;]*m", "", row)


def actor(name: str = "store", state: str = "running", error: str = "", pid: int = 7) -> Seen:
    known = ActorState(
        name=name, pid=pid, state=state, started_at=BEGAN, messages=12, queue=0, restarts=1, last_error=error
    )
    return Seen(known, 1.25, 20.04)


def tree(cwd: str = "/src/shop") -> Tree:
    return Tree(pid=4711, session_id="3fa9c1d2e5", cwd=cwd, started_at=BEGAN, actors=())


def test_each_actor_has_a_row_below_its_session() -> None:
    seen = [actor(), actor("agent:main", "restarting", "killed by signal 9", 123456)]

    assert rows(tree(), seen, BEGAN + 3661) == [
        ("strong", "session 3fa9c1d2  up 01:01:01  supervisor 4711  /src/shop"),
        ("dim", "actor          pid  state       CPU %    MB  messages  queue  restarts  last error"),
        ("", "store            7  running       1.2  20.0        12      0         1"),
        ("warning", "agent:main  123456  restarting    1.2  20.0        12      0         1  killed by signal 9"),
    ]


@given(st.text(), st.text(max_size=30))
def test_nothing_of_the_workspace_moves_the_cursor_or_the_columns(folder: str, error: str) -> None:
    found = rows(tree(folder), [actor(error=error), actor("gate", error="x")], BEGAN)
    _, heading, _, last = [text for _, text in found]

    assert all(one_line(text) == text for _, text in found)
    assert cells.width(last) == cells.width(heading) - len("last error") + 1


@given(st.integers(1, 60), st.integers(1, 200), st.integers(1, 30))
def test_what_does_not_fit_is_cut_and_said(actors: int, width: int, height: int) -> None:
    tables = [rows(tree(), [actor()] * actors, BEGAN)] * 2
    fitted = fitting(tables, width, height, PLAIN)

    assert len(fitted) <= max(height - 2, 1)
    assert all(cells.width(row) <= width for row in fitted)
    if len(fitted) < 2 * len(tables[0]) + 1 and width > 60:
        assert "more rows: trouper top --json has all" in fitted[-1]


@pytest.mark.parametrize("height", [50, 9])
def test_sessions_stand_below_each_other(height: int) -> None:
    tables = [rows(tree(), [actor()], BEGAN)] * 2

    texts = [text for _, text in tables[0]]

    assert [_bare(row) for row in fitting(tables, 100, height, PLAIN)] == [*texts, "", *texts]
