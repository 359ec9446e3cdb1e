"""@server:uri in a prompt: what is meant, and what only looks like it."""

import pytest

from ui.common.mcp import mentions

KNOWN = {"docs": frozenset({"file:///a.md", "x://odd."}), "my-db": frozenset[str]()}


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("look at @docs:file:///a.md", ["@docs:file:///a.md"]),
        ("@docs:file:///a.md, and @my-db:row://1?x=2.", ["@docs:file:///a.md", "@my-db:row://1?x=2"]),
        ("(see @docs:x://b(1))", ["@docs:x://b(1)"]),
        ("is it @docs:x://odd. or @docs:x://odd?", ["@docs:x://odd.", "@docs:x://odd"]),
        ('"@docs:a" and "@docs:a"', ["@docs:a"]),
        ("first\n@docs:a\nlast", ["@docs:a"]),
        ("@docs:one\U000f0000", ["@docs:one"]),
        ("`@docs:a`", []),
        ("me@docs:a", []),
        ("git@docs:org/repo.git, npm @types/node:x, @other:thing", []),
        ("@docs: what is it?", []),
        ("@docs:.", []),
        ("@docs", []),
    ],
)
def test_what_names_a_server_there_is_is_meant_and_all_else_is_text(typed: str, found: list[str]) -> None:
    assert [one.written for one in mentions.found(typed, KNOWN)] == found
