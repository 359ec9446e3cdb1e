"""Decisions about the web, servers, and tools as a whole."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from actors.gate.rules.modes import LABELS, TABLE
from actors.gate.rules.subject_decision import visible
from actors.gate.subjects.hosts import host
from tests.actors.gate.cases import TOOLS, around, judged, run, verdict


def test_every_mode_decides_about_every_effect() -> None:
    assert set(TABLE) == set(LABELS)
    does = frozenset({"read", "write", "execute", "web", "network", "meta"})
    assert {frozenset(row) for row in TABLE.values()} == {does}


def test_what_a_mode_does_reads_on_after_its_name() -> None:
    assert {mode for mode, label in LABELS.items() if ":" in label} == set()


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


def test_in_plan_mode_the_web_is_looked_at_as_in_auto_and_nothing_else_reached(workspace: Path) -> None:
    plan = replace(around(workspace, "plan"), named=frozenset({"example.com"}))

    assert verdict(plan, "web_search") == "allow"
    assert verdict(plan, "web_fetch", url="https://example.com/a") == "allow"
    assert verdict(plan, "web_fetch", url="https://elsewhere.net/a") == "ask"
    assert verdict(plan, "gh") == "ask"
    assert verdict(plan, "github___create_issue") == "deny"


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
    for tool in ("web_fetch", "web_search"):
        contexts = [replace(around(workspace, mode), named=frozenset({"example.com"})) for mode in TABLE]
        verdicts = [verdict(context, tool, url="https://example.com") for context in contexts]
        assert dict(zip(TABLE, verdicts, strict=True)) == {mode: row["web"] for mode, row in TABLE.items()}


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://example.com/", "allow"),
        ("https://EXAMPLE.com.:8443/", "allow"),
        ("https://docs.example.com/", "ask"),
        ("https://example.com.evil.net/", "ask"),
        ("https://exa mple.com/", "ask"),
    ],
)
def test_in_auto_a_host_has_to_be_named_by_somebody_else_than_the_model(
    workspace: Path, url: str, expected: str
) -> None:
    context = replace(around(workspace, "auto"), named=frozenset({"example.com"}))

    assert verdict(context, "web_fetch", url=url) == expected


def test_a_tool_of_fixed_programs_runs_outside_the_sandbox(workspace: Path) -> None:
    assert judged(around(workspace, "auto"), "gh").grant.sandboxed is False
    assert verdict(around(workspace, "auto"), "gh") == "ask"
    assert verdict(around(workspace, "auto", allow=("Gh",)), "gh") == "allow"
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
    name = "github___create_issue"

    assert verdict(around(workspace, allow=(rule,)), name) == expected
    assert verdict(around(workspace, "auto", deny=(rule,)), name) == ("deny" if expected == "allow" else "allow")


def test_what_is_denied_whatever_its_arguments_are_is_not_shown(workspace: Path) -> None:
    denying = around(workspace, deny=("Bash", "Write(src/**)", "Web", "Grep"))

    hidden_by_rules = {name for name, tool in TOOLS.items() if not visible(tool, denying)}

    assert hidden_by_rules == {"bash", "bash_background", "web_fetch", "web_search", "grep"}


def test_where_edits_run_unasked_a_redirection_needs_no_rule(workspace: Path) -> None:
    context = around(workspace, "accept-edits", allow=("Bash(npm test)",))

    commands = ("npm test > src/a.py", "npm test > $F", "npm test > ../beside/b.txt", "npm test > /dev/null 2>&1")

    assert [run(context, command).decision.verdict for command in commands] == ["allow", "ask", "ask", "allow"]
