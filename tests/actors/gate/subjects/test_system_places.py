"""Looking at the machine's own programs, libraries and settings is looking; at other people's files it is not."""

import sys
import tempfile
from pathlib import Path

import pytest

from actors.gate.subjects.system_places import is_kept
from tests.actors.gate.cases import around, judged, run, verdict

LOOKED_AT = (
    *("/usr/include/stdio.h", "/usr", "/lib", "/opt/tool/bin/activate", "/etc/os-release", "/etc/hostname"),
    *("/proc/cpuinfo", "/proc/meminfo", "/proc/self/status", "/proc/sys/kernel/pid_max", "/sys/fs/cgroup/memory.max"),
    *("/var/lib/dpkg/status", "~/.nvm/versions", "~/.pyenv/versions", "~/.cargo/registry/src", "~/go/pkg/mod"),
    *("/usr/../usr/lib/python3", f"{sys.prefix}/lib/site-packages/x.py"),
)
ASKED_ABOUT = (
    *("/home/somebody/x", "/mnt/disk/x", "/media/stick", "/srv/www", "/var/log/syslog", "/", "/home", "/proc", "/root"),
    *("/proc/1/environ", "/proc/self/environ", "/proc/self/root", "/proc/kcore", "/proc/sys"),
    *("~/notes.txt", "~", "~/.config", "~/.cache", "~/.npm/_logs", "/usr/../home/somebody/x", "/etc/../root"),
)


@pytest.mark.parametrize("path", LOOKED_AT)
def test_looking_at_the_system_is_not_asked_about(workspace: Path, path: str) -> None:
    context = around(workspace, level="none")

    tools = [verdict(context, tool, path=path) for tool in ("read", "grep")]
    sandboxed = run(around(workspace), f"cat {path}").decision.verdict

    assert (tools, sandboxed) == (["allow", "allow"], "allow")


@pytest.mark.parametrize("path", ASKED_ABOUT)
def test_what_is_somebodys_is_asked_about(workspace: Path, path: str) -> None:
    context = around(workspace, "auto")

    assert verdict(context, "read", path=path) == run(context, f"cat {path}").decision.verdict == "ask"


@pytest.mark.parametrize("path", ["/etc/hostname", "/usr/lib/x", "/proc/cpuinfo", "~/.cargo/registry/x"])
def test_writing_there_is_asked_about_or_closed(workspace: Path, path: str) -> None:
    context = around(workspace, "auto")

    assert verdict(context, "write", path=path) in ("ask", "deny")
    assert run(context, f"cp x {path}").decision.verdict in ("ask", "deny")


def test_credentials_of_the_system_stay_closed(workspace: Path) -> None:
    assert judged(around(workspace, "auto"), "read", path="/etc/shadow").decision.verdict == "deny"
    assert "/etc/shadow/**" in judged(around(workspace, "auto"), "grep", path="/etc").grant.hidden


def test_a_link_counts_for_where_it_leads(workspace: Path) -> None:
    (workspace / "lib").symlink_to("/usr/lib")
    (workspace / "theirs").symlink_to(workspace.parent)

    asked = [verdict(around(workspace, "auto"), "read", path=path) for path in ("lib/x.so", "theirs/beside/b.txt")]

    assert asked == ["allow", "ask"]


def test_a_rule_still_tightens(workspace: Path) -> None:
    assert run(around(workspace, "auto", deny=("Read(/etc/**)",)), "cat /etc/hosts").decision.verdict == "deny"
    assert verdict(around(workspace, "auto", ask=("Read(/usr/**)",)), "read", path="/usr/lib/x") == "ask"


def test_what_is_not_for_all_to_read_is_told_apart() -> None:
    with tempfile.TemporaryDirectory(dir="/var/tmp") as made:
        top = Path(made)
        (top / "keys").mkdir()
        for path, mode in ((top / "open", 0o644), (top / "key", 0o600), (top / "keys/open", 0o644)):
            path.write_text("x")
            path.chmod(mode)
        top.chmod(0o755)
        (top / "keys").chmod(0o700)

        kept = {name: is_kept(top / name) for name in ("open", "key", "keys", "keys/open", "not there")}

    assert kept == {"open": False, "key": True, "keys": True, "keys/open": True, "not there": False}
