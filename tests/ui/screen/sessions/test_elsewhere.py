"""A session of another folder: the line that leads there is one that a shell takes, whatever the folder is called."""

from pathlib import Path

import pytest
import trio

from actors.messages.store import SessionSummary
from ui.common import harmless
from ui.screen.sessions.elsewhere import how_to_go_on, is_elsewhere


def of(folder: str, session_id: str = "0123456789ab") -> SessionSummary:
    return SessionSummary(
        session_id=session_id, title="t", cwd=folder, model="p/m", entries=1, created_at=0.0, updated_at=0.0
    )


@pytest.mark.parametrize("name", ["plain", "a b", "it's", "$(touch gone)", "a;b", "-r", "日本"])
async def test_a_shell_goes_to_the_folder_and_does_nothing_else(tmp_path: Path, name: str) -> None:
    folder = tmp_path / name
    folder.mkdir()

    told, command = await how_to_go_on(of(str(folder)))
    shell = f'trouper() {{ pwd; echo "$@"; }}; {command}'
    done = await trio.run_process(["sh", "-c", shell], capture_stdout=True, cwd=tmp_path)

    assert told.endswith(command)
    assert done.stdout.decode() == f"{folder}\n-r 01234567\n"
    assert [one.name for one in tmp_path.iterdir()] == [name]


@pytest.mark.parametrize("name", ["\x1b[201~rm", "two\nrows", "\u202egnp", "soft\u00adhyphen"])
async def test_what_would_be_pasted_as_something_else_is_shown_and_not_copied(tmp_path: Path, name: str) -> None:
    folder = tmp_path / name
    folder.mkdir()

    told, command = await how_to_go_on(of(str(folder)))

    assert command == ""
    assert harmless.exposed_line(told) == told
    assert told.endswith("Start there: trouper -r 01234567")


async def test_of_a_batch_s_sessions_the_whole_id_is_told_since_they_begin_alike() -> None:
    assert (await how_to_go_on(of("/", "0123456789ab-task")))[1] == "cd / && trouper -r 0123456789ab-task"


def test_the_session_of_a_subagent_is_its_parent_s() -> None:
    assert is_elsewhere(of("/there"), "/here")
    assert not is_elsewhere(of("/here"), "/here")
    assert not is_elsewhere(of("/copy", "0123456789ab.1"), "/here")
