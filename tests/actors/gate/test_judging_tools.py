"""Decisions about the web, servers, and tools as a whole."""

from pathlib import Path

import pytest

from actors.gate.hosts import host
from actors.gate.judging import visible
from actors.gate.modes import LABELS, TABLE
from tests.actors.gate.cases import TOOLS, around, judged, verdict


def test_every_mode_decides_about_every_effect() -> None:
    assert set(TABLE) == set(LABELS)
    assert {frozenset(row) for row in TABLE.values()} == {frozenset({"read", "write", "execute", "network", "meta"})}


@pytest.mark.parametrize(
    ("rule", "url", "expected"),
    [
        ("Web(example.com)", "https://example.com/a", "allow"),
        ("Web(example.com)", "https://EXAMPLE.com:8443/a", "allow"),
        ("Web(example.com:8443)", "https://example.com./a", "allow"),
        ("Web(example.com)", "https://docs.example.com/", "ask"),
        ("Web(*.example.com)", "https://docs.example.com/", "allow"),
        ("Web(*.example.com)", "https://example.com/", "allow"),
        ("Web(*.example.com)", "https://badexample.com/", "ask"),
        ("Web(example.com)", "https://example.com@evil.net/", "ask"),
        ("Web(example.com)", "https://evil.net/example.com", "ask"),
        ("Web(example.com)", "https://evil.net\\@example.com/", "ask"),
        ("Web(example.com)", "https://example.com%2eevil.net/", "ask"),
        ("Web(example.com)", "nonsense", "ask"),
        ("Web(bücher.example)", "https://xn--bcher-kva.example/", "allow"),
        ("Web", "https://anything.net/", "allow"),
        ("WebFetch", "https://anything.net/", "allow"),
        ("Read(/**)", "https://example.com/a", "ask"),
    ],
)
def test_a_web_rule_is_for_its_domain(workspace: Path, rule: str, url: str, expected: str) -> None:
    assert verdict(around(workspace, allow=(rule,)), "web_fetch", url=url) == expected


@pytest.mark.parametrize(
    "url", ["https://evil.net", "http://EVIL.NET.:80/x", "https://\uff45vil.net/", "https://a@evil.net", "ev\til.net"]
)
def test_a_denied_domain_is_denied_however_it_is_written(workspace: Path, url: str) -> None:
    assert verdict(around(workspace, "auto", allow=("Web",), deny=("Web(evil.net)",)), "web_fetch", url=url) == "deny"


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://Example.COM/", "example.com"),
        ("https://user:pw@example.com:1/", "example.com"),
        ("https://[::1]:80/", "::1"),
        ("https://exa mple.com/", ""),
        ("https://[broken", ""),
        ("https:/example.com", ""),
    ],
)
def test_the_host_of_a_url(url: str, expected: str) -> None:
    assert host(url) == expected


def test_fetching_and_searching_follow_the_mode(workspace: Path) -> None:
    for tool in ("web_fetch", "web_search", "gh"):
        verdicts = [verdict(around(workspace, mode), tool, url="https://example.com") for mode in TABLE]
        assert dict(zip(TABLE, verdicts, strict=True)) == {mode: row["network"] for mode, row in TABLE.items()}


def test_a_tool_of_fixed_programs_runs_outside_the_sandbox(workspace: Path) -> None:
    assert judged(around(workspace, "auto"), "gh").grant.sandboxed is False
    assert verdict(around(workspace, allow=("Web",)), "gh") == "ask"
    assert verdict(around(workspace, allow=("Gh",)), "gh") == "allow"
    assert verdict(around(workspace, allow=("Web",)), "web_search") == "allow"


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        ("Mcp(github:create_issue)", "allow"),
        ("Mcp(github:*)", "allow"),
        ("Mcp(github)", "allow"),
        ("Mcp(*:create_*)", "allow"),
        ("Mcp(git:create_issue)", "ask"),
        ("Mcp(github:delete_*)", "ask"),
        ("Mcp", "allow"),
    ],
)
def test_a_server_s_tool(workspace: Path, rule: str, expected: str) -> None:
    name = "mcp__github__create_issue"

    assert verdict(around(workspace, allow=(rule,)), name) == expected
    assert verdict(around(workspace, "auto", deny=(rule,)), name) == ("deny" if expected == "allow" else "allow")


def test_what_is_denied_whatever_its_arguments_are_is_not_shown(workspace: Path) -> None:
    plan, denying = around(workspace, "plan"), around(workspace, deny=("Bash", "Write(src/**)", "Web", "Grep"))

    hidden_in_plan = {name for name, tool in TOOLS.items() if not visible(tool, plan)}
    hidden_by_rules = {name for name, tool in TOOLS.items() if not visible(tool, denying)}

    changing = {"write", "edit", "multi_edit", "apply_patch", "copy", "move", "delete"}
    assert hidden_in_plan == {*changing, "bash", "bash_background"}
    assert hidden_by_rules == {"bash", "bash_background", "web_fetch", "web_search", "grep"}
