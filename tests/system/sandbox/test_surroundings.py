"""What lies about where a worker starts: something else in place of its temporary folder, the user's SSH agent."""

import os
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from actors.settings.config import SandboxChoice
from tests.actors.tools.sandboxed import Sandboxed, confined_to

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="the sandbox is Linux's"),
]


@pytest.fixture
def top() -> Iterator[Path]:
    """Not below /tmp, of which commands have another."""
    with tempfile.TemporaryDirectory(dir="/var/tmp") as folder:
        for name in ("work", "tmp", "precious/kept"):
            (Path(folder) / name).mkdir(parents=True)
        yield Path(folder).resolve()


def a_worker(top: Path, runner: Sequence[str] = (), **environment: str) -> Sandboxed:
    variables = {"TMPDIR": str(top / "tmp"), **environment}
    return Sandboxed(confined_to(top / "work", top / "home"), environment=variables, runner=runner)


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
        with a_worker(top, SSH_AUTH_SOCK=f"{folder}/socket") as hidden:
            if "network of its own" not in hidden.detail:
                pytest.skip("Landlock alone cannot")

            named = hidden.bash("echo ${SSH_AUTH_SOCK:-nothing}")
            connected = hidden.bash(connect)

    assert named.output.strip() == "nothing"
    assert connected.failed


def test_the_resolvers_socket_and_every_other_that_somebody_listens_on_is_out_of_reach(top: Path) -> None:
    resolver, daemon = top / "resolve", top / "daemon"
    put = "mount -t tmpfs none /run && mkdir -p /run/systemd/resolve && mount --bind $0 /run/systemd/resolve"
    own = ["unshare", "--mount", *(["-r"] if os.geteuid() else []), "sh", "-c", f'{put} && exec "$@"']
    for folder in (resolver, daemon):
        folder.mkdir()
    if subprocess.run([*own, str(resolver), "true"], capture_output=True, check=False).returncode:
        pytest.skip("no namespaces of one's own here")
    connect = f'{sys.executable} -c "import socket, sys; socket.socket(1).connect(sys.argv[1])" '
    with socket.socket(socket.AF_UNIX) as first, socket.socket(socket.AF_UNIX) as second:
        for folder, server in ((resolver, first), (daemon, second)):
            server.bind(f"{folder}/socket")
            server.listen()
        with a_worker(top, runner=[*own, str(resolver)]) as worker:
            if worker.level != "bubblewrap":
                pytest.skip("only bubblewrap has a view of its own")
            asked = worker.bash(connect + "/run/systemd/resolve/socket")
            told = worker.bash(connect + f"{daemon}/socket")

    assert asked.failed, asked.output
    assert told.failed, told.output


@pytest.mark.parametrize("whole", [False, True])
def test_who_listens_in_a_home_folder_in_tmp_is_out_of_reach(top: Path, whole: bool) -> None:
    connect = f'{sys.executable} -c "import socket, sys; socket.socket(1).connect(sys.argv[1])" '
    with tempfile.TemporaryDirectory(dir="/tmp") as folder, socket.socket(socket.AF_UNIX) as server:
        listening = f"{folder}/socket"
        server.bind(listening)
        server.listen()
        with a_worker(top, HOME="/tmp" if whole else folder) as worker:
            if worker.level != "bubblewrap":
                pytest.skip("only bubblewrap has a view of its own")
            seen, told = worker.bash(f"ls {listening}"), worker.bash(connect + listening)

    assert seen.output == listening
    assert told.failed, told.output


@pytest.mark.parametrize("level", ["bubblewrap", "namespaces"])
def test_a_temporary_folder_that_is_the_home_folder_is_not_written(top: Path, level: SandboxChoice) -> None:
    own = ["unshare", "--mount", *(["-r"] if os.geteuid() else [])]
    inside = [*own, "sh", "-c", 'mount --rbind /tmp /tmp && exec "$@"', "sh"]
    if subprocess.run([*inside, "true"], capture_output=True, check=False).returncode:
        pytest.skip("no namespaces of one's own here")
    environment = {"HOME": "/tmp", "TMPDIR": str(top / "tmp")}
    settings = confined_to(top / "work", top / "home", level)

    with (
        tempfile.NamedTemporaryFile("w+", dir="/tmp") as here,
        Sandboxed(settings, environment=environment, runner=inside) as worker,
    ):
        if worker.level != level:
            pytest.skip(f"this system has only {worker.detail}")
        here.write("home")
        here.flush()
        seen, written = worker.bash(f"cat {here.name}"), worker.bash(f"echo x > {here.name}")

    assert seen.output == "home"
    assert "Read-only file system" in written.output


def test_an_empty_folder_keeps_the_place_of_settings_until_the_last_worker_ends(top: Path) -> None:
    (top / "work" / "code.py").touch()
    place = top / "work" / ".trouper"
    with a_worker(top) as first:
        with a_worker(top):
            both = place.is_dir()
        one = place.is_dir()
        written = first.bash("echo x > .trouper/config.local.toml")
    none = place.exists()

    assert (both, one, none) == (True, True, False)
    assert written.failed


def test_in_an_empty_workspace_nothing_is_made(top: Path) -> None:
    with a_worker(top) as worker:
        listed = worker.bash("ls -A")

    assert listed.output == "(no output)"


def test_a_changed_bubblewrap_is_tried_anew_and_one_that_fails_is_not_used(top: Path) -> None:
    (top / "bin").mkdir()
    (top / "home" / "run").mkdir(parents=True)
    bwrap = top / "bin" / "bwrap"
    path = f"{top / 'bin'}:{os.environ['PATH']}"
    bwrap.write_text("#!/bin/sh\necho no mounts for you >&2; exit 1\n")
    bwrap.chmod(0o755)
    with a_worker(top, PATH=path) as worker:
        level, detail = worker.level, worker.detail
    remembered = (top / "home" / "run" / "sandbox.json").read_text()
    bwrap.unlink()
    with a_worker(top, PATH=path) as worker:
        later = worker.level

    assert level == "namespaces"
    assert "no bubblewrap: no mounts for you" in detail
    assert "no mounts for you" in remembered
    assert later == ("bubblewrap" if shutil.which("bwrap") else "namespaces")


@contextmanager
def worker_whose_bubblewrap(top: Path, does: str) -> Iterator[Sandboxed]:
    """does: a line of shell, before the real one runs."""
    (top / "bin").mkdir()
    (top / "home" / "run").mkdir(parents=True)
    real = shutil.which("bwrap")
    if real is None:
        pytest.skip("no bubblewrap here")
    bwrap = top / "bin" / "bwrap"
    bwrap.write_text(f'#!/bin/sh\n{does}\nexec {real} "$@"\n')
    bwrap.chmod(0o755)
    with a_worker(top, PATH=f"{top / 'bin'}:{os.environ['PATH']}") as worker:
        yield worker


def test_a_sandbox_that_cannot_be_set_up_any_more_runs_nothing(top: Path) -> None:
    switch = top / "broken"
    with worker_whose_bubblewrap(top, f"[ -e {switch} ] && exit 1") as worker:
        ran = worker.bash("echo ran")
        switch.touch()
        broken = worker.bash("echo ran > $TMPDIR/proof; cat $TMPDIR/proof")

    assert ran.output == "ran"
    assert broken.failed
    assert "could not be set up" in broken.output
    assert "ran" not in broken.output.split()


def test_a_sandbox_that_could_not_be_set_up_in_one_moment_is_tried_again(top: Path) -> None:
    """As when a socket that it was to cover went meanwhile."""
    switch = top / "work" / "broken"
    with worker_whose_bubblewrap(top, f"[ -e {switch} ] && rm {switch} && echo no such socket >&2 && exit 1") as worker:
        switch.touch()
        ran = worker.bash("echo ran")

    assert not switch.exists()
    assert (ran.output, ran.failed) == ("ran", False)
