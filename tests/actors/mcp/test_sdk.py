"""The SDK of MCP costs half a second and 40 MB: nobody imports it but the actor of a server, and the one we are."""

import ast

from tests import ROOT

SDK = ("mcp", "mcp_types", "httpx2")
OURS = ROOT / "actors" / "mcp"
SERVES = ROOT / "ui" / "serve"
FREE = (
    "limits",
    "errors",
    "restarts",
    "eras",
    "forms",
    "process/*",
    "transports/lines",
    "transports/mending",
    "results/same",
)
"""What can be used and tested without it."""


def imports(text: str) -> set[str]:
    nodes = list(ast.walk(ast.parse(text)))
    named = [alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names]
    given = [node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)]
    return {name.partition(".")[0] for name in (*named, *given)}


def test_the_sdk_is_imported_by_the_actor_of_a_server_and_by_the_one_we_are() -> None:
    others = [path for top in ("actors", "supervisor", "ui") for path in (ROOT / top).rglob("*.py")]
    foreign = {path: path.read_text() for path in others if not (path.is_relative_to(OURS) or path.parent == SERVES)}
    guilty = [path for path, text in foreign.items() if any(name in text for name in SDK) and imports(text) & {*SDK}]

    assert guilty == []


def test_what_needs_no_sdk_imports_none() -> None:
    free = [path for name in FREE for path in OURS.glob(f"{name}.py")]
    guilty = [path for path in free if imports(path.read_text()) & {*SDK}]

    assert len(free) >= len(FREE)
    assert guilty == []
