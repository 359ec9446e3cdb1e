"""Decisions about commands: each part by what it does, and what leaves the sandbox."""

from dataclasses import replace
from pathlib import Path

import pytest

from actors.messages.tool import Grant, Mode
from tests.actors.gate.cases import around, judged, run, verdict


@pytest.mark.parametrize(
    ("command", "default", "edits", "auto"),
    [
        ("ls src", "allow", "allow", "allow"),
        ("git status", "allow", "allow", "allow"),
        ("mkdir src/new", "ask", "allow", "allow"),
        ("npm test", "ask", "ask", "allow"),
        ("cat $(find . -name x)", "ask", "ask", "allow"),
        ("ls && npm test", "ask", "ask", "allow"),
        ("cat ../beside/b.txt", "ask", "ask", "ask"),
        ("cp src/a.py ../beside/", "ask", "ask", "ask"),
        ("pip install requests", "ask", "ask", "ask"),
        ("git push", "ask", "ask", "ask"),
        ("rm -rf build", "ask", "ask", "ask"),
        ("$PROGRAM x", "ask", "ask", "ask"),
        ("cat ~/.ssh/id", "deny", "deny", "deny"),
        ("cp x .git/hooks/pre-commit", "deny", "deny", "deny"),
        ("mkfs.ext4 /dev/sda1", "deny", "deny", "deny"),
        ("echo hi 2> /dev/null", "allow", "allow", "allow"),
    ],
)
def test_a_command_is_decided_by_its_parts(workspace: Path, command: str, default: str, edits: str, auto: str) -> None:
    modes: tuple[Mode, ...] = ("default", "accept-edits", "auto", "plan", "research")

    verdicts = [run(around(workspace, mode), command).decision.verdict for mode in modes]

    assert verdicts == [default, edits, auto, "deny", "deny"]


@pytest.mark.parametrize(
    ("rule", "command", "expected"),
    [
        ("Bash", "npm test", "allow"),
        ("Bash(npm test)", "npm test", "allow"),
        ("Bash(npm test)", "npm   'test'", "allow"),
        ("Bash(npm test)", "npm test -- x", "ask"),
        ("Bash(npm test:*)", "npm test", "allow"),
        ("Bash(npm test:*)", "npm test -- x", "allow"),
        ("Bash(npm test:*)", "npm testing", "ask"),
        ("Bash(npm test:*)", "npm run build", "ask"),
        ("Bash(npm test:*)", "ls; npm test x", "allow"),
        ("Bash(npm test:*)", "npm test; make", "ask"),
        ("Bash(npm test:*)", "npm test $(make)", "ask"),
        ("Bash(echo '$HOME')", "./tool $HOME", "ask"),
        ("Bash(npm:*)", "npm test ../beside/b.txt", "ask"),
        ("BashBackground", "npm test", "ask"),
        ("Write", "npm test", "ask"),
        ("Read(/**)", "cat ../beside/b.txt", "ask"),
        ("Bash(~/**)", "cat ~/notes.txt", "allow"),
        ("Bash(~/*.md)", "cat ~/notes.txt", "ask"),
        ("Bash(~/**)", "cat ~/notes.txt ../beside/b.txt", "ask"),
        ("Bash(~/**)", "./tool ~/notes.txt", "ask"),
        ("Bash(cat ../beside/b.txt)", "cat ../beside/b.txt", "allow"),
        ("Bash(cat:*)", "cat ../beside/b.txt", "ask"),
        ("Bash", "cat ../beside/b.txt", "ask"),
        ("Bash", "pip install requests", "ask"),
        ("Bash(pip install:*)", "pip install requests", "allow"),
        ("Bash(pip install:*)", "pip install requests && npm test", "ask"),
        ("Bash(pip install:*)", "cd src && pip install requests", "allow"),
        ("Bash(pip install:*)", "ls && pip install requests", "ask"),
        ("Bash(git push)", "echo 'a b'; git push", "allow"),
        ("Bash(git push)", "echo $x; git push", "ask"),
        ("Bash(git push)", "[ -v 'a[$(./x)]' ]; git push", "ask"),
        ("Bash(git push)", "git push", "allow"),
        ("Bash(echo x)", "echo x > src/a.py", "ask"),
        ("Bash(echo x)", "echo x > ../beside/b.txt", "ask"),
        ("Bash(npm test)", "npm test > ../beside/b.txt", "ask"),
        ("Bash(touch a.py)", "cd src && touch a.py", "ask"),
        ("Bash(cat hosts)", "cd /etc && cat hosts", "ask"),
        ("Bash(mkdir new)", "mkdir new", "allow"),
        ("Bash(wc:*)", "for f in *.py; do wc -l $f; done", "allow"),
        ("Bash(rm:*)", "rm -rf build", "ask"),
        ("Bash(rm -rf build)", "rm -rf build", "ask"),
    ],
)
def test_an_allow_rule_is_for_just_what_it_says(workspace: Path, rule: str, command: str, expected: str) -> None:
    assert run(around(workspace, allow=(rule,)), command).decision.verdict == expected
    assert run(around(workspace, granted=(rule,)), command).decision.verdict == expected


@pytest.mark.parametrize(
    ("rule", "command"),
    [
        ("Bash", "ls"),
        ("Bash(git push:*)", "git push origin main"),
        ("Bash(git push:*)", "ls; git   'push' origin"),
        ("Bash(git push:*)", "sh -c 'git push'"),
        ("Bash(git push)", "git push"),
        ("Bash(git push)", "git --no-pager push"),
        ("Bash(git commit:*)", "git -C src commit -m x"),
        ("Bash(git commit:*)", "git -c a.b=c --git-dir .git commit"),
        ("Bash(git commit:*)", "env A=b command git commit"),
        ("Bash(npm run deploy:*)", "npm --prefix src run deploy"),
        ("Bash(curl:*)", "/usr/bin/curl https://example.com"),
        ("Bash(curl:*)", "ls | xargs curl"),
        ("Bash(sudo:*)", "sudo ls"),
        ("Bash(/etc/**)", "cat /etc/hosts"),
        ("Bash(~/**)", "cat ~/notes.txt"),
        ("Read(secrets/**)", "cat secrets/a"),
        ("Read(secrets/**)", "cat src/../secrets/a"),
        ("Read", "cat src/a.py"),
        ("Write(src/**)", "cp x src/a.py"),
        ("Write(src/**)", "echo x > src/a.py"),
        ("Write", "mkdir new"),
    ],
)
def test_a_deny_rule_holds_for_each_part(workspace: Path, rule: str, command: str) -> None:
    context = around(workspace, "auto", allow=("Bash", "Bash(/**)", "Bash(git push:*)"), deny=(rule,))

    decision = run(context, command).decision

    assert (decision.verdict, decision.rule) == ("deny", rule)


@pytest.mark.parametrize("command", ["git stash push", "git log --grep=push", "git status", "echo git push"])
def test_a_deny_rule_is_not_for_its_words_elsewhere(workspace: Path, command: str) -> None:
    assert run(around(workspace, "auto", deny=("Bash(git push:*)",)), command).decision.verdict != "deny"


def test_denying_bash_denies_it_in_the_background(workspace: Path) -> None:
    denied = around(workspace, "auto", deny=("Bash",))

    assert verdict(denied, "bash_background", command="ls") == "deny"
    assert verdict(around(workspace, "auto", deny=("BashBackground",)), "bash", command="ls") == "allow"


def test_a_pattern_that_may_name_a_hidden_file_asks(workspace: Path) -> None:
    context = around(workspace, "auto", deny=("Read(src/secret*)",))

    assert run(context, "cat src/*.py").decision.verdict == "ask"
    assert run(context, "cat docs/*.md").decision.verdict == "allow"


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("git $WHAT", "ask"),
        ("git -C src $WHAT", "ask"),
        ("git $(echo push)", "ask"),
        ("ls | xargs git", "ask"),
        ("find . -exec git {} ;", "ask"),
        ("git p*", "ask"),
        ("git log $BRANCH", "allow"),
        ("echo $WHAT", "allow"),
    ],
)
def test_what_may_turn_out_to_be_denied_asks(workspace: Path, command: str, expected: str) -> None:
    context = around(workspace, "auto", allow=("Bash", "Bash(git:*)"), deny=("Bash(git push:*)",))

    assert run(context, command).decision.verdict == expected


def test_what_only_the_sandbox_can_hide_asks_where_it_cannot(workspace: Path) -> None:
    deny = ("Read(secrets/**)",)

    assert run(around(workspace, "auto", deny=deny), "cat $FILE").decision.verdict == "ask"
    assert run(around(workspace, "auto", deny=deny, level="bubblewrap"), "cat $FILE").decision.verdict == "allow"


def test_the_whole_line_has_what_one_part_is_given(workspace: Path) -> None:
    """Else a program would get the network that the user gave to another."""
    context = around(workspace, "auto", allow=("Bash(pip install:*)",))

    judgement = run(context, "pip install x && python3 build.py")

    assert judgement.decision.why == "`python3 build.py`: it reaches the network"
    assert run(context, "cd src && pip install x").grant == Grant(paths=(str(workspace),), network=True)


@pytest.mark.parametrize("mode", ["default", "accept-edits", "auto"])
def test_asking_for_more_than_the_sandbox_asks_the_user(workspace: Path, mode: Mode) -> None:
    context = around(workspace, mode, allow=("Bash",))

    network = run(context, "make", network=True)
    outside = run(context, "make", unsandboxed="true")

    assert (network.decision.verdict, outside.decision.verdict) == ("ask", "ask")
    assert (network.grant.network, network.grant.sandboxed) == (True, True)
    assert (outside.grant.network, outside.grant.sandboxed) == (True, False)
    assert run(context, "make", network=False, unsandboxed=0).decision.verdict == "allow"
    assert run(around(workspace, mode, allow=("Bash(make)",)), "make", unsandboxed=True).decision.verdict == "allow"
    assert run(context, "ls", unsandboxed=True).decision.verdict == "ask"


@pytest.mark.parametrize("mode", ["default", "accept-edits", "auto"])
def test_without_a_sandbox_every_command_asks(workspace: Path, mode: Mode) -> None:
    nothing = around(workspace, mode, level="none")

    assert run(nothing, "ls").decision.verdict == "ask"
    assert run(nothing, "npm test").decision.rule == "no sandbox"
    assert run(around(workspace, mode, level="none", allow=("Bash",)), "ls").decision.verdict == "allow"
    assert run(around(workspace, mode, level="none", allow=("Bash(ls:*)",)), "ls src").decision.verdict == "allow"
    assert run(replace(nothing, allow_unsandboxed=True), "ls").decision.verdict == "allow"


def test_in_bubblewrap_the_temporary_folder_is_the_commands_own() -> None:
    inside, beside = around(Path("/work"), "auto", level="bubblewrap"), around(Path("/work"), "auto")

    assert run(inside, "mkdir /tmp/x").decision.verdict == "allow"
    assert run(beside, "mkdir /tmp/x").decision.verdict == "ask"
    assert run(inside, "mkdir /tmp/x", unsandboxed=True).decision.verdict == "ask"


def test_the_strictest_part_is_named(workspace: Path) -> None:
    judgement = run(around(workspace), "ls && npm test && rm -rf build")

    assert (judgement.decision.rule, bool(judgement.decision.strong)) == ("asked every time", True)
    assert "`rm -rf build`" in judgement.decision.why
    assert [part.partition(":")[0] for part in judgement.parts] == ["allow", "ask", "ask"]


def test_a_command_that_reads_a_private_file_asks_and_then_sees_it(workspace: Path) -> None:
    context = around(workspace, "auto", ask=("Read(private/**)",))

    assert judged(context, "bash", command="cat private/a").decision.verdict == "ask"
    assert judged(context, "bash", command="cat private/a").grant.hidden == ()
    assert judged(context, "bash", command="./tool").grant.hidden == ("private/**",)
