"""A denied command, however it is quoted and wrapped, is never allowed."""

import shlex
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.actors.gate.cases import around, run

DENIED = (
    *("git commit -m x", "npm run deploy", "cat secrets/key", "tee secrets/key", "deploy --now"),
    *("mv secrets q", "cp -r secrets q", "rg key", "grep -r key .", "git show HEAD"),
)
RULES = ("Bash(git commit:*)", "Bash(npm run deploy)", "Bash(deploy:*)", "Read(secrets/**)", "Write(secrets/**)")


def quoted(word: str, how: int) -> str:
    """Ways in which the shell reads the same word."""
    middle = len(word) // 2
    ways = (
        word,
        f"'{word}'",
        f'"{word}"',
        f"{word[:middle]}''{word[middle:]}",
        f"{word[:middle]}'{word[middle:]}'",
        "\\" + word,
        "$'" + "".join(f"\\x{ord(letter):02x}" for letter in word) + "'",
        f"{word[:middle]}\\\n{word[middle:]}",
    )
    return ways[how % len(ways)]


BEFORE = (
    *("{}", "env A=b {}", "nohup {}", "timeout 5 {}", "nice -n 5 {}", "command {}"),
    *("xargs {} < list", "find . -exec {} ';'"),
)
"""Programs that run the one that is named after them."""
AROUND = (
    *("{}", "ls; {}", "ls && {}", "ls | {}", "ls & {}", "( {} )", "{{ {}; }}", "! {}", "if true; then {}; fi"),
    *("for x in 1; do {}; done", "echo $( {} )", "echo `{}`", "cat <( {} )", "f() {{ {}; }}; f", "cd src; cd ..; {}"),
    *("time {}", "A=b {}", "export A=b; {}", "{} > /dev/null 2>&1"),
)
"""What the shell itself knows; some together are no shell."""
INNER = ("sh -c {}", "bash -lc {}", "eval {}", "find . -name x -exec sh -c {} +", "sudo sh -c {}")


@st.composite
def hidden(draw: st.DrawFn) -> str:
    words = draw(st.sampled_from(DENIED)).split()
    command = " ".join(quoted(word, draw(st.integers(0, 7))) for word in words)
    for _ in range(draw(st.integers(0, 2))):
        command = draw(st.sampled_from(BEFORE)).format(command)
        command = draw(st.sampled_from(AROUND)).format(command)
        command = draw(st.sampled_from(INNER)).format(shlex.quote(command))
    command = draw(st.sampled_from(BEFORE)).format(command)
    return draw(st.sampled_from(AROUND)).format(command)


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(hidden(), st.sampled_from(["default", "accept-edits", "auto"]))
def test_it_is_denied_or_asked_about(workspace: Path, command: str, mode: str) -> None:
    (workspace / "secrets").mkdir(exist_ok=True)
    context = around(workspace, mode, allow=("Bash", "Bash(ls:*)", "Bash(sh:*)"), deny=RULES)  # type: ignore[arg-type]

    assert run(context, command).decision.verdict != "allow"


@pytest.mark.parametrize("wrapper", [*BEFORE, *AROUND])
def test_plainly_wrapped_it_is_denied(workspace: Path, wrapper: str) -> None:
    context = around(workspace, "auto", allow=("Bash",), deny=RULES)

    assert run(context, wrapper.format("git commit -m x")).decision.verdict == "deny"


@pytest.mark.parametrize("wrapper", [*BEFORE, *AROUND])
def test_what_is_not_denied_is_not_caught_with_it(workspace: Path, wrapper: str) -> None:
    context = around(workspace, "auto", allow=("Bash",), deny=RULES)

    assert run(context, wrapper.format("git log -n 3")).decision.verdict != "deny"
