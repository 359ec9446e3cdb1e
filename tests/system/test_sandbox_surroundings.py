"""What lies about where a worker starts: something else in place of its temporary folder, the user's SSH agent."""

import os
import socket
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.actors.tools.sandboxed import Sandboxed

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="the sandbox is Linux's"),
]


@pytest.fixture
def top(tmp_path: Path) -> Path:
    for name in ("work", "tmp", "precious"):
        (tmp_path / name).mkdir()
    (tmp_path / "precious" / "kept").mkdir()
    return tmp_path.resolve()


def a_worker(top: Path, **environment: str) -> Sandboxed:
    return Sandboxed(top / "work", top / "home", environment={"TMPDIR": str(top / "tmp"), **environment})


def a_file(place: Path, _precious: Path) -> None:
    place.write_text("not ours")


def a_link(place: Path, precious: Path) -> None:
    place.symlink_to(precious)


def a_link_that_leads_nowhere(place: Path, precious: Path) -> None:
    place.symlink_to(precious / "nothing")


@pytest.mark.parametrize("put", [a_file, a_link, a_link_that_leads_nowhere])
def test_what_is_in_the_way_of_the_temporary_folder_is_left_alone(top: Path, put: Callable[[Path, Path], None]) -> None:
    in_the_way = top / "tmp" / f"trouper-{os.getuid()}"
    put(in_the_way, top / "precious")
    before = in_the_way.lstat().st_ino

    with a_worker(top) as worker:
        outcome = worker.bash("echo kept > $TMPDIR/x && cat $TMPDIR/x")
        temporary = Path(worker.temporary)

    assert (outcome.failed, outcome.output.strip()) == (False, "kept")
    assert temporary.is_relative_to(top / "tmp")
    assert not temporary.is_relative_to(in_the_way)
    assert in_the_way.lstat().st_ino == before
    assert [path.name for path in (top / "precious").iterdir()] == ["kept"]


def test_the_users_ssh_agent_is_out_of_reach(top: Path) -> None:
    folder = top / "agent"
    folder.mkdir()
    connect = f"{sys.executable} -c \"import socket; socket.socket(1).connect('{folder}/socket')\""
    with socket.socket(socket.AF_UNIX) as agent:
        agent.bind(f"{folder}/socket")
        agent.listen()
        with a_worker(top, SSH_AUTH_SOCK=f"{folder}/socket") as hidden, a_worker(top) as unknown:
            if "network of its own" not in hidden.level:
                pytest.skip("Landlock alone cannot")

            named = hidden.bash("echo ${SSH_AUTH_SOCK:-nothing}")
            connected, without_the_name = hidden.bash(connect), unknown.bash(connect)

    assert named.output.strip() == "nothing"
    assert connected.failed
    assert not without_the_name.failed, "it was not the name that hid it"
