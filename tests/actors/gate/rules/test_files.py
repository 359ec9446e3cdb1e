"""Decisions about paths: the workspace, what is outside it, what is closed to everybody."""

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from actors.gate.rules.call_decision import judge
from actors.messages.conversation import ToolCall
from actors.messages.tool import Grant, Mode
from actors.settings import credential_files
from tests.actors.gate.cases import TOOLS, around, judged, run, verdict

ADD = "*** Begin Patch\n*** Add File: src/new.py\n+x\n*** End Patch"
DELETE = "*** Begin Patch\n*** Update File: src/a.py\n@@\n-x\n+y\n*** Delete File: old.py\n*** End Patch"
MOVE_OUT = "*** Begin Patch\n*** Update File: src/a.py\n*** Move to: ../beside/a.py\n@@\n-x\n+y\n*** End Patch"
UNIFIED = "--- a/src/a.py\n+++ b/src/a.py\n@@ -1 +1 @@\n-x\n+y\n"
UNIFIED_DELETE = "--- a/src/a.py\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n"
UNIFIED_HOOK = "--- /dev/null\n+++ b/.git/hooks/pre-commit\n@@ -0,0 +1 @@\n+x\n"


@pytest.mark.parametrize(
    ("mode", "tool", "path", "expected"),
    [
        ("default", "read", "src/a.py", "allow"),
        ("default", "read", ".", "allow"),
        ("default", "read", "../beside/b.txt", "ask"),
        ("default", "read", "/etc/hostname", "allow"),
        ("default", "read", "~/notes.txt", "ask"),
        ("default", "write", "src/a.py", "ask"),
        ("accept-edits", "write", "src/a.py", "allow"),
        ("accept-edits", "write", "../beside/b.txt", "ask"),
        ("auto", "write", "src/a.py", "allow"),
        ("auto", "write", "new/deep/file.py", "allow"),
        ("auto", "write", "../beside/b.txt", "ask"),
        ("auto", "write", "/etc/hosts", "ask"),
        ("auto", "read", "/etc/hosts", "allow"),
        ("auto", "write", "src/../../beside/new", "ask"),
        ("plan", "read", "src/a.py", "allow"),
        ("plan", "write", "src/a.py", "deny"),
        ("research", "write", "src/a.py", "deny"),
        ("auto", "delete", "src/a.py", "ask"),
        ("plan", "delete", "src/a.py", "deny"),
    ],
)
def test_a_mode_decides_by_what_a_call_does_and_where(
    workspace: Path, mode: Mode, tool: str, path: str, expected: str
) -> None:
    assert verdict(around(workspace, mode), tool, path=path) == expected


@pytest.mark.parametrize(
    ("tool", "path"),
    [
        ("read", "../home/auth.json"),
        ("write", "../home/config.toml"),
        ("read", "../HOME/auth.json"),
        ("read", "~/.ssh/id"),
        ("read", "~/.ssh"),
        ("read", "~/.SSH/id"),
        ("read", "../user/.aws/credentials"),
        ("read", "/etc/shadow"),
        ("read", "/etc/ssh/ssh_host_ed25519_key"),
        *(("read", f"~/{path}/any") for path in credential_files.paths(credential_files.HOME)),
        ("write", "~/.ssh/authorized_keys"),
        ("write", ".git/hooks/pre-commit"),
        ("write", ".git/config"),
        ("write", ".GIT/config"),
        ("write", ".git"),
        ("write", "vendor/lib/.git/config"),
        ("write", "vendor/lib/.git"),
        ("write", ".git/modules/lib/hooks/post-checkout"),
        ("write", ".git/worktrees/w/config.worktree"),
        ("write", ".trouper/config.local.toml"),
        ("write", "sub/.trouper/config.toml"),
        ("write", "src/../.git/hooks/x"),
        ("write", "/dev/sda"),
        ("write", "/proc/self/mem"),
        ("write", "/proc/self/root/etc/hosts"),
        ("write", "/sys/kernel/x"),
        ("read", "a\0b"),
        ("delete", "."),
        ("delete", ".git"),
        ("move", "."),
    ],
)
def test_some_places_are_closed_whatever_is_allowed(workspace: Path, tool: str, path: str) -> None:
    everything = around(workspace, "auto", allow=("Read(/**)", "Write(/**)", "Read", "Write", "Delete", "Move"))

    judgement = judged(everything, tool, path=path, source=path, destination="elsewhere")

    assert (judgement.decision.verdict, judgement.decision.change, judgement.grant) == ("deny", "", Grant())


def test_a_symlink_counts_as_what_it_leads_to(workspace: Path) -> None:
    (workspace / "out").symlink_to(workspace.parent / "beside")
    (workspace / "key").symlink_to(workspace.parent / "user/.ssh/id")
    (workspace / "dangling").symlink_to("/nowhere/at/all")
    (workspace / "hook").symlink_to(".git/hooks/pre-commit")
    (workspace / "loop").symlink_to("loop")
    auto = around(workspace, "auto", allow=("Write(out/**)",))

    paths = ("out/b.txt", "out/new.txt", "key", "dangling", "hook", "out/../x")
    assert [verdict(auto, "write", path=path) for path in paths] == ["ask", "ask", "deny", "ask", "deny", "ask"]
    assert verdict(auto, "delete", path="loop") == "ask"


def test_a_repository_by_another_name_is_one(workspace: Path) -> None:
    for name in ("HEAD", "objects", "refs"):
        (workspace / "bare" / name).mkdir(parents=True)

    assert verdict(around(workspace, "auto"), "write", path="bare/config") == "deny"
    assert verdict(around(workspace, "auto"), "write", path="bare/hooks/pre-receive") == "deny"
    assert verdict(around(workspace, "auto"), "write", path="src/config") == "allow"


@pytest.mark.parametrize(
    ("rule", "path", "expected"),
    [
        ("Read(~/**)", "~/notes.txt", "allow"),
        ("Read(~/notes.txt)", "~/notes.txt", "allow"),
        ("Read(/**)", "~/notes.txt", "allow"),
        ("Read(~/*)", "~/more/notes.txt", "ask"),
        ("Read(~/more/**)", "~/more", "allow"),
        ("Write(~/**)", "~/notes.txt", "ask"),
        ("Bash(~/**)", "~/notes.txt", "ask"),
        ("Read(../user/**)", "~/notes.txt", "ask"),
        ("Read(**)", "~/notes.txt", "ask"),
        ("Read", "~/notes.txt", "ask"),
    ],
)
def test_outside_a_rule_must_name_the_place_for_that_scope(
    workspace: Path, rule: str, path: str, expected: str
) -> None:
    assert verdict(around(workspace, allow=(rule,)), "read", path=path) == expected


def test_editing_outside_needs_reading_and_writing(workspace: Path) -> None:
    both = ("Read(~/**)", "Write(~/**)")

    assert [verdict(around(workspace, allow=(one,)), "edit", path="~/notes.txt") for one in both] == ["ask", "ask"]
    assert verdict(around(workspace, allow=both), "edit", path="~/notes.txt") == "allow"


def test_of_two_paths_each_has_its_own_scope(workspace: Path) -> None:
    may_read = around(workspace, "auto", allow=("Read(~/**)",))

    assert verdict(may_read, "copy", source="~/notes.txt", destination="src/n.txt") == "allow"
    assert verdict(may_read, "copy", source="src/a.py", destination="~/a.py") == "ask"
    assert verdict(may_read, "move", source="~/notes.txt", destination="src/n.txt") == "ask"


@pytest.mark.parametrize(
    ("deny", "tool", "path", "expected"),
    [
        ("Read(secrets/**)", "read", "secrets/a", "deny"),
        ("Read(secrets)", "read", "secrets/deep/a", "deny"),
        ("Read(secrets/**)", "read", "Secrets/a", "deny"),
        ("Read(**/.env)", "read", "a/b/.env", "deny"),
        ("Read(**/.env*)", "read", ".env.local", "deny"),
        ("Read(**/.env)", "write", ".env", "allow"),
        ("Read(**/.env)", "edit", ".env", "deny"),
        ("Write(src/**)", "write", "src/a.py", "deny"),
        ("Write(src/**)", "read", "src/a.py", "allow"),
        ("Write(src/keep/**)", "move", "src", "deny"),
        ("Write", "write", "src/a.py", "deny"),
        ("Read", "read", "src/a.py", "deny"),
        ("Edit", "multi_edit", "src/a.py", "deny"),
        ("Edit", "apply_patch", "src/a.py", "deny"),
        ("edit", "edit", "src/a.py", "deny"),
        ("Edit", "write", "src/a.py", "allow"),
        ("Delete", "apply_patch", "src/a.py", "deny"),
    ],
)
def test_a_deny_rule_holds_against_all_that_is_allowed(
    workspace: Path, deny: str, tool: str, path: str, expected: str
) -> None:
    context = around(workspace, "auto", allow=("Read", "Write", "Read(/**)", "Write(/**)", "Edit"), deny=(deny,))
    patch = f"*** Begin Patch\n*** Delete File: {path}\n*** End Patch"

    judgement = judged(context, tool, path=path, source=path, destination="x", edits=[{"path": path}], input=patch)

    assert judgement.decision.verdict == expected
    if expected == "deny":
        assert (judgement.decision.rule, judgement.decision.source) == (deny, "config.toml")
        assert judgement.decision.change == f'take "{deny}" out of config.toml'


def test_a_deny_holds_for_the_name_and_for_what_it_leads_to(workspace: Path) -> None:
    (workspace / "secrets").mkdir()
    (workspace / "harmless").symlink_to("secrets")
    (workspace / "link").symlink_to("src")

    assert verdict(around(workspace, deny=("Read(secrets/**)",)), "read", path="harmless/a") == "deny"
    assert verdict(around(workspace, deny=("Read(link/**)",)), "read", path="link/a.py") == "deny"
    assert verdict(around(workspace, "auto", allow=("Write(link/**)",)), "write", path="link/a.py") == "allow"
    assert verdict(around(workspace, allow=("Write(link/**)",)), "write", path="link/a.py") == "ask"


def test_an_ask_rule_beats_an_allow_rule_and_a_grant(workspace: Path) -> None:
    context = around(workspace, "auto", allow=("Write(src/**)",), ask=("Write(src/**)",), granted=("Write(src/**)",))

    decision = judged(context, "write", path="src/a.py").decision

    assert (decision.verdict, decision.change) == ("ask", 'take "Write(src/**)" out of config.toml')


def test_what_is_denied_to_read_is_hidden_from_searches(workspace: Path) -> None:
    context = around(workspace, deny=("Read(secrets)", "Read(**/.env)"), ask=("Read(private/**)",))

    assert judged(context, "grep").grant == Grant(
        paths=(str(workspace),), hidden=("secrets", "secrets/**", "**/.env", "**/.env/**", "private/**")
    )
    assert "private/**" not in judged(context, "read", path="private/a").grant.hidden


def test_credentials_below_a_folder_that_is_read_are_hidden(workspace: Path) -> None:
    user = workspace.parent / "user"

    assert f"{user}/.ssh/**" in judged(around(user), "grep").grant.hidden
    assert judged(around(workspace), "grep").grant.hidden == ()


def test_what_a_link_in_a_folder_of_credentials_leads_to_is_closed_too(workspace: Path) -> None:
    user = workspace.parent / "user"
    (user / "dot").mkdir()
    (user / "dot/key").write_text("x")
    (user / ".ssh/linked").symlink_to("../dot/key")
    auto = around(workspace, "auto", allow=("Bash", "Read"))

    named = [run(auto, f"cat ~/dot/{name}").decision.rule for name in ("key", "readme")]

    assert named == ["closed to tools", "outside the workspace"]
    assert verdict(auto, "read", path="~/dot/key") == "deny"


@pytest.mark.parametrize(
    ("patch", "mode", "expected", "strong"),
    [
        (ADD, "default", "ask", False),
        (ADD, "auto", "allow", False),
        (ADD, "plan", "deny", False),
        (UNIFIED, "auto", "allow", False),
        (DELETE, "auto", "ask", True),
        (UNIFIED_DELETE, "auto", "ask", True),
        (MOVE_OUT, "auto", "ask", False),
        (UNIFIED_HOOK, "auto", "deny", False),
        ("nonsense", "auto", "allow", False),
        ("nonsense", "default", "ask", False),
    ],
)
def test_a_patch_is_judged_by_its_files(
    workspace: Path, patch: str, mode: Mode, expected: str, *, strong: bool
) -> None:
    decision = judged(around(workspace, mode), "apply_patch", input=patch).decision

    assert (decision.verdict, bool(decision.strong)) == (expected, strong)


def test_a_call_may_touch_what_was_judged_and_nothing_else(workspace: Path) -> None:
    auto = around(workspace, "auto")
    a, new = str(workspace / "src/a.py"), str(workspace / "src/new.py")

    assert judged(auto, "write", path="src/../src/a.py").grant.paths == (a,)
    assert judged(auto, "multi_edit", edits=[{"path": "src/a.py"}, {"path": "src/new.py"}]).grant.paths == (a, new)
    assert judged(auto, "apply_patch", input=ADD).grant.paths == (new,)
    assert judged(auto, "apply_patch", input="nonsense").grant.paths == ()


@pytest.mark.parametrize(
    "patch",
    [
        "hello\n*** Update File: src/a.py\n--- a/src/a.py\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n",
        "--- a/src/a.py\n+++ /dev/null\n@@ -1,2 +1 @@\n *** Update File: src/a.py\n-x\n",
    ],
)
def test_a_line_of_another_format_hides_no_deletion(workspace: Path, patch: str) -> None:
    asked = judged(around(workspace, "auto"), "apply_patch", input=patch)
    denied = judged(around(workspace, "auto", deny=("Delete",)), "apply_patch", input=patch)

    assert (asked.decision.verdict, asked.lost) == ("ask", (str(workspace / "src/a.py"),))
    assert denied.decision.verdict == "deny"


def test_where_a_call_moves_something_is_known(workspace: Path) -> None:
    auto = around(workspace, "auto")

    assert judged(auto, "move", source="src", destination="lib/src").moved_to == (str(workspace / "lib/src"),)
    assert judged(auto, "copy", source="src", destination="lib/src").moved_to == ()


def test_a_call_may_delete_what_was_judged_as_deleted(workspace: Path) -> None:
    auto = around(workspace, "auto")

    assert judged(auto, "delete", path="src/a.py").grant.deleted == (str(workspace / "src/a.py"),)
    assert judged(auto, "write", path="src/a.py").grant.deleted == ()


def test_an_argument_that_stands_for_a_file_counts_when_it_is_a_yes(workspace: Path) -> None:
    plan = around(workspace, "plan")

    assert [verdict(plan, "todo", persist=given) for given in (False, None, 0, "false")] == ["allow"] * 4
    assert [verdict(plan, "todo", persist=given) for given in (True, 1, "true", "yes", [])] == ["deny"] * 5
    assert verdict(plan, "todo") == "allow"


@pytest.mark.parametrize("arguments", ["", "{", "[]", "null", '{"path": 1}', '{"path": ["a"]}', "[" * 10_000])
def test_malformed_arguments_may_touch_nothing(workspace: Path, arguments: str) -> None:
    call = ToolCall(call_id="1", name="write", arguments=arguments)

    judgement = judge(call, TOOLS["write"], around(workspace, "auto"))

    assert (judgement.decision.verdict, judgement.grant) == ("allow", Grant())


def test_what_was_judged_is_what_runs(workspace: Path) -> None:
    twice = '{"path": "/etc/hosts", "path" :"src\\u002fa.py"}'
    call = ToolCall(call_id="1", name="write", arguments=twice)

    judgement = judge(call, TOOLS["write"], around(workspace, "auto"))

    assert (judgement.decision.verdict, json.loads(judgement.call.arguments)) == ("allow", {"path": "src/a.py"})
    assert "hosts" not in judgement.call.arguments


@pytest.fixture
def unfollowable() -> Iterator[str]:
    """A link that nobody can follow, whoever asks: where a process that has ended was."""
    if not Path("/proc/self/cwd").exists():
        pytest.skip("there is no /proc here")
    with subprocess.Popen(["true"]) as ended:
        os.waitid(os.P_PID, ended.pid, os.WEXITED | os.WNOWAIT)
        yield f"/proc/{ended.pid}/cwd"


@pytest.mark.parametrize("below", ["", "/", "/x", "/../x"])
def test_a_path_that_cannot_be_resolved_is_closed(workspace: Path, unfollowable: str, below: str) -> None:
    context, path = around(workspace, "auto"), unfollowable + below

    judgements = [judged(context, "read", path=path), judged(context, "bash", command=f"ls {path}")]
    judgements.append(judged(context, "write", path=path))

    assert [one.decision.verdict for one in judgements] == ["deny", "deny", "deny"]
    assert {one.decision.why for one in judgements[:2]} == {
        f"{path}: nobody can say where it leads: No such file or directory"
    }
