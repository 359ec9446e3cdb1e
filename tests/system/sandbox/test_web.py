"""The worker that talks to the web: it sees nothing of the user's, writes nothing, and has a network."""

import socket
import sys
import tempfile
from pathlib import Path

import pytest

from tests.actors.tools.sandboxed import Sandboxed, confined_to

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="the sandbox is Linux's"),
]


@pytest.mark.parametrize("namespaces", [True, False])
def test_the_web_worker_sees_a_network_and_no_files_of_the_user(namespaces: bool) -> None:
    with tempfile.TemporaryDirectory(dir="/var/tmp") as folder, socket.create_server(("127.0.0.1", 0)) as tcp:
        top = Path(folder).resolve()
        for name in ("home/.trouper", "work", "tmp"):
            (top / name).mkdir(parents=True)
        for name in ("home/notes.txt", "home/.trouper/auth.json", "work/code.py"):
            (top / name).write_text("private")
        environment = {"HOME": str(top / "home"), "TMPDIR": str(top / "tmp")}
        connect = f"import socket; socket.create_connection(('127.0.0.1', {tcp.getsockname()[1]}), 2)"
        settings = confined_to(top / "work", top / "home/.trouper", worker="web")
        with Sandboxed(settings, environment=environment, namespaces=namespaces) as worker:
            if worker.level == "none":
                pytest.skip("this kernel has no Landlock")

            seen = worker.bash(f"cat {top}/home/notes.txt {top}/home/.trouper/* {top}/work/*")
            wrote = [worker.bash(f"echo x > {top}/{place}/x") for place in ("home", "work", "tmp")]
            used = worker.bash("echo x > $TMPDIR/x && cat /etc/hosts > /dev/null")
            connected = worker.bash(f'{sys.executable} -c "{connect}"')

        left = sorted(path.name for path in top.rglob("*") if path.is_file())

    assert seen.failed
    assert "private" not in seen.output
    assert all(outcome.failed for outcome in wrote)
    assert not used.failed, used.output
    assert not connected.failed, connected.output
    assert left == ["auth.json", "code.py", "notes.txt"]


def test_a_worker_without_a_sandbox_writes_everywhere(tmp_path: Path) -> None:
    """The user has said that this one may do everything."""
    environment = {"TMPDIR": str(tmp_path)}
    with Sandboxed(confined_to(tmp_path, tmp_path / "home", worker="none"), environment=environment) as worker:
        wrote = worker.bash(f"echo x > {tmp_path}/outside")

    assert worker.level == "none"
    assert not wrote.failed
    assert (tmp_path / "outside").exists()


def test_what_runs_without_a_sandbox_has_a_temporary_folder_that_others_do_not_write(tmp_path: Path) -> None:
    (tmp_path / "work").mkdir()
    environment, places = {"TMPDIR": str(tmp_path)}, (tmp_path / "work", tmp_path / "home")
    with (
        Sandboxed(confined_to(*places), environment=environment) as inside,
        Sandboxed(confined_to(*places, worker="none"), environment=environment) as outside,
    ):
        planted = inside.bash("ln -s /etc/hosts $TMPDIR/planted && echo $TMPDIR")
        seen = outside.bash("touch $TMPDIR/own && ls -A $TMPDIR")

    assert not planted.failed
    assert seen.output.split() == ["own"]


def test_no_folder_above_a_workspace_below_tmp_is_renamed(tmp_path: Path) -> None:
    """The workspace would go with it, and what lies in its place is looked at by nobody."""
    (tmp_path / "work").mkdir()
    with Sandboxed(confined_to(tmp_path / "work", tmp_path / "home"), environment={"TMPDIR": str(tmp_path)}) as worker:
        moved = [worker.bash(f"cd / && mv {folder} {folder}.away") for folder in tmp_path.parents[:-2]]

    assert all(outcome.failed for outcome in moved)
