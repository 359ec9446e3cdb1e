"""In a container that is thrown away everything runs unasked, but for what the user's rules and a looking mode deny."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from actors.messages.tool import Mode
from tests.actors.gate.cases import around, judged, verdict


@pytest.mark.parametrize("mode", ["default", "accept-edits", "auto"])
@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("bash", {"command": "rm -rf . /var/lib/apt"}),
        ("bash", {"command": "apt-get install -y jq && service postgresql start"}),
        ("bash", {"command": "sudo mount -t tmpfs none /mnt; shutdown now"}),
        ("bash", {"command": "f() { echo $1; }; f x > /etc/hosts"}),
        ("bash", {"command": "echo x | $SHELL", "unsandboxed": True, "network": True}),
        ("bash", {"command": "cat ~/.ssh/id .git/config > ~/.aws/x"}),
        ("read", {"path": "~/.ssh/id"}),
        ("write", {"path": "/etc/hosts"}),
        ("write", {"path": ".git/hooks/pre-commit"}),
        ("delete", {"path": "src"}),
        ("move", {"source": ".git", "destination": "../beside/git"}),
        ("web_fetch", {"url": "https://example.com/"}),
        ("gh", {}),
    ],
)
def test_everything_runs_unasked(workspace: Path, mode: Mode, tool: str, arguments: dict[str, object]) -> None:
    context = replace(around(workspace, mode, level="none", ask=("Bash", "Write", "Web")), unrestricted=True)

    judgement = judged(context, tool, **arguments)

    assert (judgement.decision.verdict, judgement.decision.rule) == ("allow", "unrestricted")


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("bash", {"command": "cd src && git push origin main"}),
        ("bash", {"command": "cat secrets/key"}),
        ("read", {"path": "secrets/key"}),
        ("write", {"path": "docs/a.md"}),
        ("web_fetch", {"url": "https://evil.net/"}),
    ],
)
def test_what_a_rule_denies_is_denied(workspace: Path, tool: str, arguments: dict[str, object]) -> None:
    denied = ("Bash(git push:*)", "Read(secrets/**)", "Write(docs/**)", "Web(evil.net)")
    context = replace(around(workspace, "auto", level="none", deny=denied), unrestricted=True)

    assert verdict(context, tool, **arguments) == "deny"


def test_plan_mode_stays_a_mode_that_only_looks(workspace: Path) -> None:
    context = replace(around(workspace, "plan", level="none"), unrestricted=True)

    assert [verdict(context, "write", path="a"), verdict(context, "read", path="/etc/hosts")] == ["deny", "allow"]
