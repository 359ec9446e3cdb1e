"""Decisions about commands: each part by what it does, and what leaves the sandbox."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from actors.errors import BadConfiguration
from actors.messages.tool import Grant, Mode, SandboxLevel
from actors.settings.permissions import Permissions
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
        ("[ -f ../beside/b.txt ] && ls", "ask", "ask", "ask"),
        ("[[ -e ~/.ssh/id ]]", "deny", "deny", "deny"),
        ('[ -f src/a.py ] && [ -n "$x" ]', "allow", "allow", "allow"),
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
        ("Bash(pip install:*)", "ls && pip install requests", "allow"),
        ("Bash(pip install:*)", "cat $x; pip install requests", "ask"),
        ("Bash(git push)", "ls; git push", "ask"),
        ("Bash(git push)", "echo 'a b'; git push", "allow"),
        ("Bash(git push)", "echo $x; git push", "ask"),
        ("Bash(git push)", "[ -v 'a[$(./x)]' ]; git push", "ask"),
        ("Bash(git push)", "git push", "allow"),
        ("Bash(echo x)", "echo x > src/a.py", "ask"),
        ("Bash(echo x)", "echo x > ../beside/b.txt", "ask"),
        ("Bash(npm test)", "npm test > ../beside/b.txt", "ask"),
        ("Bash(npm test)", "npm test > src/a.py", "ask"),
        ("Bash(npm:*)", "npm test > src/a.py", "ask"),
        ("Bash(npm test)", "npm test > $F", "ask"),
        ("Bash(echo x)", "echo x > $F", "ask"),
        ("Bash(npm test)", "cd src && npm test", "allow"),
        ("Bash(touch a.py)", "cd src && touch a.py", "ask"),
        ("Bash(cat b.txt)", "cd ../beside && cat b.txt", "ask"),
        ("Bash(mkdir new)", "mkdir new", "allow"),
        ("Bash(wc:*)", "for f in *.py; do wc -l $f; done", "allow"),
        ("Bash(rm:*)", "rm -rf build", "allow"),
        ("Bash(rm -rf build)", "rm -rf build", "allow"),
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
        ("Bash(rm:*)", "/lib64/ld-linux-x86-64.so.2 /bin/rm a"),
        ("Bash(rm:*)", "/lib/ld-musl-x86_64.so.1 /bin/busybox rm a"),
        ("Bash(curl:*)", "ld.so /usr/bin/curl localhost"),
        ("Bash(rm:*)", "grm a"),
        ("Bash(/etc/**)", "cat /etc/hosts"),
        ("Bash(~/**)", "cat ~/notes.txt"),
        ("Read(secrets/**)", "cat secrets/a"),
        ("Read(secrets/**)", "cat src/../secrets/a"),
        ("Read", "cat src/a.py"),
        ("Write(src/**)", "cp x src/a.py"),
        ("Write(src/**)", "echo x > src/a.py"),
        ("Write", "mkdir new"),
        ("Write", "echo x > $F"),
        ("Write(src/a.py)", "for f in b src/a.py; do echo x > $f; done"),
        ("Write(src/a.py)", "for d in b src; do for f in a c; do tee < b $d/$f.py; done; done"),
        ("Write(src/a.py)", "for d in b src; do (cd $d && touch a.py); done"),
        ("Write(src/a.py)", 'sed -Ei "$S" src/a.py'),
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


@pytest.mark.parametrize("mode", ["default", "accept-edits", "auto"])
def test_without_namespaces_nothing_runs_unasked(workspace: Path, mode: Mode) -> None:
    """Sockets of docker and agents, git's hooks and `.trouper` are in reach there."""
    weak = replace(around(workspace, mode, level="landlock"), allow_unsandboxed=False)

    assert run(weak, "ls").decision.verdict == "ask"
    assert run(weak, "npm test").decision.rule == "no sandbox"
    assert run(replace(weak, level="namespaces"), "ls").decision.verdict == "allow"


@pytest.mark.parametrize("level", ["bubblewrap", "namespaces"])
def test_in_namespaces_the_temporary_folder_is_the_commands_own(level: SandboxLevel) -> None:
    inside, beside = around(Path("/work"), "auto", level=level), around(Path("/work"), "auto")

    assert run(inside, "mkdir /tmp/x").decision.verdict == "allow"
    assert run(beside, "mkdir /tmp/x").decision.verdict == "ask"
    assert run(inside, "mkdir /tmp/x", unsandboxed=True).decision.verdict == "ask"


def test_the_strictest_part_is_named(workspace: Path) -> None:
    judgement = run(around(workspace, "auto"), "ls && npm test && rm -rf build")

    assert (judgement.decision.rule, bool(judgement.decision.strong)) == ("deletion", True)
    assert "`rm -rf build`" in judgement.decision.why
    assert [part.partition(":")[0] for part in judgement.parts] == ["allow", "allow", "ask"]


def test_a_command_that_reads_a_private_file_asks_and_then_sees_it(workspace: Path) -> None:
    context = around(workspace, "auto", ask=("Read(private/**)",))

    assert judged(context, "bash", command="cat private/a").decision.verdict == "ask"
    assert judged(context, "bash", command="cat private/a").grant.hidden == ()
    assert judged(context, "bash", command="./tool").grant.hidden == ("private/**",)


@pytest.mark.parametrize(
    ("command", "default", "auto"),
    [
        ("PYTHONPATH=src pytest", "ask", "allow"),
        ("cat x | python3", "ask", "allow"),
        ("n=$(wc -l < a.txt); echo $((n+1))", "ask", "allow"),
        ("kill 4711", "ask", "allow"),
        ("cd $X && touch a", "ask", "allow"),
        ("$PROGRAM -rf .", "ask", "ask"),
        ("cat x | sh", "ask", "ask"),
        ("x='a[$(./x)]'; echo $((x))", "ask", "ask"),
        ("BASH_ALIASES[ls]=./x; ls", "ask", "ask"),
        ("GIT_EDITOR='rm -rf .' git commit", "ask", "ask"),
    ],
)
def test_what_the_sandbox_holds_is_no_reason_to_ask_in_auto(
    workspace: Path, command: str, default: str, auto: str
) -> None:
    held, rule = around(workspace, "auto", level="bubblewrap"), Permissions(allow=("Bash(git push)",)).lines("")
    assert run(replace(held, mode="default"), command).decision.verdict == default
    assert run(held, command).decision.verdict == auto
    assert run(around(workspace, "auto", level="none"), command).decision.verdict == "ask"
    assert run(held, f"{command}; git push").decision.verdict == "ask"
    assert run(replace(held, rules=rule), f"{command}; git push").decision.verdict == "ask"
    for level in ("none", "landlock"):
        nobody_holds = replace(around(workspace, "auto", level=level), allow_unsandboxed=True)
        assert run(nobody_holds, command).decision.verdict == "ask"


@pytest.mark.parametrize(
    "command",
    [
        *("x='a[$(rm -rf src)]'; let x", "x='a[$(rm -rf src)]'; test -v \"$x\"", "x='a[`rm -rf src`]'; let x++"),
        *("x='a[$(rm -rf src)]' bash -c 'echo $((x))'", "bash -c 'let \"$1\"' _ 'a[$(rm -rf src)]'"),
        *(
            "x=$(printf '%s' 'a' '[' '$(rm -rf src)]'); echo $((x))",
            "x=$(printf 'a\\x5b\\x24(rm -r src)]'); echo $((x))",
        ),
        *("env 'BASH_FUNC_ls%%=() { rm -rf src; }' bash -c ls", "BASH_ENV=<(echo 'rm -rf src') bash -c :"),
        *("history -s 'rm -rf src'; fc -s", "git grep -O'rm -rf src' x"),
    ],
)
def test_what_the_line_itself_says_is_no_code_from_elsewhere(workspace: Path, command: str) -> None:
    assert run(around(workspace, "auto", level="bubblewrap"), command).decision.verdict == "ask"


@pytest.mark.parametrize("command", ["PYTHONPATH=src pytest", "cat x | python3", "cat x | sh", "$PROGRAM x", "kill 1"])
def test_who_allows_all_commands_means_those_that_cannot_be_read_too(workspace: Path, command: str) -> None:
    allow = ("Bash",)

    held = around(workspace, allow=allow, level="bubblewrap")
    assert run(held, command).decision.verdict == "allow"
    assert run(around(workspace, allow=allow, level="none"), command).decision.verdict == "ask"
    assert run(held, command, network=True).decision.verdict == "ask"


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("npm test", "allow"),
        ("make && echo x > src/b.py", "allow"),
        ("PYTHONPATH=src pytest", "allow"),
        ("pip install x", "ask"),
        ("git push", "ask"),
        ("npm test; cat /srv/b.txt", "ask"),
        ("$PROGRAM x", "ask"),
        ("rm -rf build", "ask"),
        ("cat ~/.ssh/id", "deny"),
    ],
)
def test_one_rule_is_for_all_that_stays_inside_the_sandbox(workspace: Path, command: str, expected: str) -> None:
    allow = ("Bash(@sandbox)",)

    assert run(around(workspace, level="bubblewrap", allow=allow), command).decision.verdict == expected
    assert run(around(workspace, level="bubblewrap", granted=allow), command).decision.verdict == expected
    assert run(around(workspace, "plan", level="bubblewrap", allow=allow), command).decision.verdict == "deny"


@pytest.mark.parametrize("level", ["none", "landlock"])
def test_that_rule_does_not_count_where_nothing_holds(workspace: Path, level: SandboxLevel) -> None:
    context = around(workspace, level=level, allow=("Bash(@sandbox)",))

    assert run(context, "npm test").decision.verdict == "ask"
    assert run(replace(context, allow_unsandboxed=True), "npm test").decision.verdict == "ask"
    assert run(around(workspace, allow=("Bash(@sandbox)",)), "npm test", unsandboxed=True).decision.verdict == "ask"


def test_a_deny_rule_beats_it(workspace: Path) -> None:
    context = around(workspace, allow=("Bash(@sandbox)",), deny=("Bash(git commit:*)",))

    assert run(context, "make && git commit -m x").decision.verdict == "deny"
    assert run(context, "git $WHAT").decision.verdict == "ask"


@pytest.mark.parametrize(
    ("verdict", "text"), [("ask", "Bash(@sandbox)"), ("deny", "Bash(@sandbox)"), ("allow", "Bash(@x)")]
)
def test_it_can_only_be_allowed(verdict: str, text: str) -> None:
    with pytest.raises(BadConfiguration, match="@"):
        Permissions(**{verdict: (text,)}).lines("config.toml")


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("touch s*/a.py", "ask"),
        ("cp x s?c/a.py", "ask"),
        ("touch {src,x}/a.py", "deny"),
        ("touch docs/*.py", "allow"),
    ],
)
def test_a_pattern_that_may_be_what_a_rule_keeps_from_being_written_asks(
    workspace: Path, command: str, expected: str
) -> None:
    context = around(workspace, "auto", level="bubblewrap", deny=("Write(src/**)",))

    assert run(context, command).decision.verdict == expected


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        *((command, "ask") for command in ("echo x > $F", "cp b $F", "ls > logs/$(date +%F)", "cd $D; touch b")),
        *((command, "ask") for command in ("while read f; do : > $f; done < b", "for f; do echo > $f; done")),
        *((command, "ask") for command in ("ls | xargs touch", "find . -exec sed -i s/x/y/ {} +")),
        *((command, "ask") for command in ("f() { touch $1; }; f src/a.py", "IFS=,; f=b,src/a.py; touch $f")),
        *((command, "allow") for command in ("for f in b c; do echo x > $f; done", "cat $F > b", "ls $F")),
        *((command, "allow") for command in ("python $F", "ls > /dev/null", "find . -exec wc -l {} +")),
    ],
)
def test_what_is_written_and_not_known_before_it_runs_asks_where_a_rule_is_about_writing(
    workspace: Path, command: str, expected: str
) -> None:
    free = around(workspace, "auto", level="bubblewrap")
    ruled = around(workspace, "auto", level="bubblewrap", deny=("Write(src/a.py)",), allow=("Bash",))

    assert run(ruled, command).decision.verdict == expected
    assert run(free, command).decision.verdict == "allow"
