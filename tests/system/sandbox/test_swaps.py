"""What one command puts in the place of something that a later one, or the worker itself, relies on."""

import os
import re
import signal
import socket
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from actors.messages.tool import Grant
from actors.settings.config import SandboxChoice
from actors.settings.permissions import Permissions
from tests.actors.tools.sandboxed import Sandboxed, confined_to
from tests.system.sandbox.boxes import Box, boxes, opened

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="the sandbox is Linux's"),
]
HIDING = Grant(hidden=("**/.env",))


@pytest.fixture(scope="module", params=[each for each in boxes() if "landlock" not in str(each.id)])
def box(request: pytest.FixtureRequest) -> Iterator[Box]:
    with opened(*request.param) as box:
        yield box


def test_shared_memory_cannot_be_swapped_for_the_workers_tree(box: Box) -> None:
    (box.workspace / ".env").write_text("private")

    box.bash("cd $TMPDIR && rm -rf shm && ln -s / shm", HIDING)
    found = box.bash("cat /dev/shm$PWD/.env", HIDING)

    assert found.failed
    assert "private" not in found.output


def test_shared_memory_lasts_from_one_command_to_the_next_and_is_not_the_machines(box: Box) -> None:
    box.bash("echo kept > /dev/shm/trouper-private")

    assert box.bash("cat /dev/shm/trouper-private").output == "kept"
    assert not Path("/dev/shm/trouper-private").exists()


def test_shared_memory_is_bounded_by_the_memory_of_the_machine(box: Box) -> None:
    blocks, size = box.bash("stat -f -c '%b %S' /dev/shm").output.split()

    assert int(blocks) * int(size) <= os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2


MOVES = {
    "its folder is renamed": ("mv conf renamed", "renamed/key"),
    "and again, into another one": ("mkdir -p a/b && mv renamed a/b/c", "a/b/c/key"),
    "and another is put in its place": ("mkdir conf && echo decoy > conf/key", "a/b/c/key"),
}


def test_a_file_that_a_rule_hides_stays_hidden_wherever_a_program_moves_it(box: Box) -> None:
    box.bash("mkdir conf && printf private > conf/key")
    hiding = Grant(hidden=("conf/key", "conf/key/**"), paths=(str(box.workspace),))
    asked_about = Grant(paths=(str(box.workspace),))

    seen = [box.bash("cat conf/key", hiding).output]
    for move, place in MOVES.values():
        moved = box.bash(move, hiding)
        assert not moved.failed, moved.output
        seen.append(box.bash(f"cat {place} && cat a/../{place}", hiding).output)
        seen.append(box.worker.call("read", hiding, path=place).output)
    allowed = box.bash("cat a/b/c/key", asked_about)

    assert [text for text in seen if "private" in text] == []
    assert allowed.output == "private"


RENAMES = "while :; do mv here there; mv there here; done"


def test_a_search_shows_nothing_hidden_while_its_folder_is_renamed_again_and_again(box: Box) -> None:
    box.bash("mkdir here && printf secret > here/key && for each in $(seq 300); do echo open > here/$each; done")
    hiding = Grant(hidden=("here/key",), paths=(str(box.workspace),))
    box.bash("true", hiding)
    job = box.worker.call("bash_background", hiding, command=RENAMES).output

    found = [box.worker.call("grep", hiding, pattern="secret|open").output for _ in range(4)]
    box.worker.call("bash_kill", hiding, job=re.findall(r"job-[0-9a-f]{6}", job)[0])
    found.append(box.worker.call("grep", hiding, pattern="secret|open").output)

    assert ":open" in found[-1]
    assert [text for text in found if ":secret" in text] == []
    assert [text for text in found if text.startswith("No matches")] == []
    assert box.bash("find here there -name key").output.count("key") == 1


@pytest.fixture
def top() -> Iterator[Path]:
    """Not below /tmp, of which commands have another."""
    with tempfile.TemporaryDirectory(dir="/var/tmp") as folder:
        for name in ("work", "tmp"):
            (Path(folder) / name).mkdir()
        yield Path(folder).resolve()


def a_worker(top: Path) -> Sandboxed:
    return Sandboxed(confined_to(top / "work", top / "home"), environment={"TMPDIR": str(top / "tmp")})


def test_a_symlink_in_a_protected_place_that_came_later_is_not_followed(top: Path) -> None:
    with a_worker(top) as worker:
        linked = worker.bash("ln -s / .trouper")
        found = worker.bash("echo ran")

    assert (linked.output, found.output) == ("(no output)", "ran")


TRAPS = """
echo mine > /tmp/kept; ln -s {top}/outside /tmp/link
mv $TMPDIR $TMPDIR.away; ln -sfn / $TMPDIR
cd /tmp && for name in $(ls -A | grep -v kept); do mv "$name" "$name.away" && ln -s / "$name"; done
"""


@pytest.mark.parametrize("level", ["bubblewrap", "namespaces"])
def test_the_next_life_of_a_worker_follows_nothing_that_commands_left_in_its_tmp(level: SandboxChoice) -> None:
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        top = Path(folder).resolve()
        for name in ("work", "outside", "home/.ssh", "tmp"):
            (top / name).mkdir(parents=True)
        (top / "home" / ".ssh" / "id").write_text("private")
        settings = confined_to(top / "work", top / "home" / ".trouper", level)
        environment = {"HOME": str(top / "home"), "TMPDIR": str(top / "tmp")}
        with Sandboxed(settings, environment=environment) as first:
            if first.level != level:
                pytest.skip(f"this system has only {first.detail}")
            first.bash(TRAPS.format(top=top))
            os.kill(int(first.worker), signal.SIGKILL)
            first.guardian.wait(60)
            with Sandboxed(settings, environment=environment) as second:
                kept = second.bash("cat /tmp/kept $TMPDIR/kept")
                there = second.bash(f"echo x > {top}/work/made && cat {top}/work/made")
                stolen = second.bash(
                    f"cat {top}/home/.ssh/id; find /tmp /tmp/*.away -maxdepth 6 -name id -exec cat {{}} +"
                )
                second.bash("for each in / /tmp/* /tmp/link $TMPDIR/*; do echo x > $each/planted; done")

        assert (kept.output, there.output) == ("mine\nmine", "x")
        assert "private" not in stolen.output
        assert [path for path in (top / "outside", top / "home", Path("/")) if (path / "planted").exists()] == []


@pytest.mark.parametrize("level", ["bubblewrap", "namespaces"])
def test_what_a_rule_opens_in_tmp_is_read_and_not_written_and_who_listens_there_is_out_of_reach(
    top: Path, level: SandboxChoice
) -> None:
    connect = f'{sys.executable} -c "import socket, sys; socket.socket(1).connect(sys.argv[1])" '
    with tempfile.TemporaryDirectory(dir="/tmp") as folder, socket.socket(socket.AF_UNIX) as server:
        for name in ("opened", "closed"):
            (Path(folder) / name).mkdir()
            (Path(folder) / name / "data").write_text("the machine's")
        server.bind(f"{folder}/opened/socket")
        server.listen()
        rules = Permissions(allow=(f"Read({folder}/opened/**)",)).lines("config.toml")
        settings = replace(confined_to(top / "work", top / "home", level), rules=rules)
        with Sandboxed(settings, environment={"TMPDIR": str(top / "tmp")}) as worker:
            if worker.level != level:
                pytest.skip(f"this system has only {worker.detail}")
            read = worker.bash(f"cat {folder}/opened/data; ls {folder}")
            written = worker.bash(f"echo x > {folder}/opened/data")
            told = worker.bash(connect + f"{folder}/opened/socket")

    assert read.output == "the machine'sopened"
    assert "Read-only file system" in written.output
    assert told.failed, told.output


def test_many_places_opened_below_one_folder_cost_a_mount_each(top: Path) -> None:
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        opened = [Path(folder) / "deep" / "down" / str(number) for number in range(14)]
        for each in opened:
            each.mkdir(parents=True)
        rules = Permissions(allow=tuple(f"Read({each}/**)" for each in opened)).lines("config.toml")
        settings = replace(confined_to(top / "work", top / "home", "bubblewrap"), rules=rules)
        with Sandboxed(settings, environment={"TMPDIR": str(top / "tmp")}) as worker:
            mounts = Path(f"/proc/{worker.worker}/mountinfo").read_text().count(folder)

    assert len(opened) <= mounts <= 4 * len(opened)


def test_what_a_command_made_of_the_private_folder_is_removed_and_hinders_no_later_worker(top: Path) -> None:
    deep = "import os\nfor _ in range(3000):\n os.mkdir('d')\n os.chdir('d')"

    with a_worker(top) as first:
        first.bash(f'cd $TMPDIR && {sys.executable} -c "{deep}" && ln -s {top}/work link && touch {top}/work/kept')
        left = first.temporary
    with a_worker(top) as second:
        ran = second.bash("ls")

    assert ran.output == "kept"
    assert not Path(left).exists()
