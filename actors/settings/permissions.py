"""Rules of permission: how they are written, who said them, and what each is about. Pure; the gate applies them.

A rule is the name of a tool ("GitLog": every call of it), or a scope with or without a pattern: Read(glob),
Write(glob), Bash(command), Bash(command:*), Bash(path), Bash(@sandbox), Web(domain), Mcp(server:tool),
SpawnAgent(type). For Mcp(server:tool) one may also write server:tool, server___tool and mcp__server__tool.
"""

import re
from typing import Literal

import msgspec

from actors.common import globs
from actors.errors import BadConfiguration
from actors.messages.tool import Verdict
from actors.settings.mcp.names import MARK
from actors.settings.tool_names import ALL, rule_name

Scope = Literal["read", "write", "bash", "web", "mcp", "agent", "tool"]
SCOPES: dict[str, Scope] = {
    "read": "read",
    "write": "write",
    "bash": "bash",
    "web": "web",
    "mcp": "mcp",
    "spawnagent": "agent",
}
ELSEWHERE = "mcp__"
"""What other programs call a tool of an MCP server begins with: mcp__SERVER__TOOL, mcp__SERVER for all of one."""
MCP_SERVER, MCP_TOOL = re.compile(r"[\w*?-]+", re.ASCII), re.compile(r"[^\s/][^\s]*")
FORMS = (
    "Read(glob), Write(glob), Bash(command), Bash(command:*), Bash(path), Bash(@sandbox), Web(domain), "
    "Mcp(server:tool), SpawnAgent(type)"
)


class Permissions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """As a file says it: the table [permissions]."""

    allow: tuple[str, ...] = ()
    """What runs unasked."""
    ask: tuple[str, ...] = ()
    """What asks, although it is allowed or would run unasked in this mode."""
    deny: tuple[str, ...] = ()
    """What never happens, whatever is allowed."""

    def lines(self, source: str) -> tuple["RuleLine", ...]:
        """Raises BadConfiguration, which begins with the source."""
        by_verdict: dict[Verdict, tuple[str, ...]] = {"deny": self.deny, "ask": self.ask, "allow": self.allow}
        lines = [
            RuleLine(verdict=verdict, text=text, source=source)
            for verdict, texts in by_verdict.items()
            for text in texts
        ]
        for line in lines:
            if parse(line.text, source) == IN_SANDBOX and line.verdict != "allow":
                raise BadConfiguration(
                    f'{source}: "{line.text}" can only be allowed; to {line.verdict} all, write "Bash".'
                )
        return tuple(lines)


class RuleLine(msgspec.Struct, frozen=True, kw_only=True):
    """One rule and where it is written, as decisions name it."""

    verdict: Verdict
    text: str
    source: str
    """A file's path, or the flag."""


class Rule(msgspec.Struct, frozen=True):
    scope: Scope
    pattern: str = ""
    """ "" for all of the scope; of the scope "tool" the tool's name."""


IN_SANDBOX = Rule("bash", "@sandbox")
"""Every command that stays inside the sandbox, where there is one."""


def is_for_sandbox(text: str) -> bool:
    """Of a line that was checked when it was read."""
    return parse(text, text) == IN_SANDBOX


def parse(text: str, where: str) -> Rule:
    """A rule that names nothing would silently not count. Raises BadConfiguration, which begins with `where`."""
    name, bracket, rest = text.strip().partition("(")
    scope = SCOPES.get(name.strip().casefold())
    if bracket:
        if scope is None or not rest.endswith(")") or not rest[:-1].strip():
            raise BadConfiguration(f'{where}: the rule "{text}" is not one of these forms: {FORMS}, or a tool\'s name.')
        pattern = rest[:-1].strip()
        if why := _mistake(scope, pattern):
            raise BadConfiguration(f'{where}: the rule "{text}": {why}.')
        return Rule(scope, pattern)
    if scope is not None:
        return Rule(scope)
    names = [rule_name(tool) for tool in ALL]
    known = {name.casefold(): name for name in names}
    pattern = _of_server(text.strip(), where)
    if pattern and pattern.partition(":")[0].casefold() not in {*known, *SCOPES}:
        return Rule("mcp", pattern)
    if name.strip().casefold() not in known:
        raise BadConfiguration(f'{where}: unknown rule "{text}"; known are: {FORMS}, and {", ".join(names)}.')
    return Rule("tool", known[name.strip().casefold()])


def _of_server(text: str, where: str) -> str:
    """server:tool, of a tool of an MCP server as it is called elsewhere; "" of all else. Raises BadConfiguration."""
    rest = text.removeprefix(ELSEWHERE)
    if rest != text:
        server, _, tool = rest.partition("__")
        if "__" in tool or tool.startswith("_") or server.endswith("_"):
            raise BadConfiguration(f'{where}: the rule "{text}" can be read in several ways. Write Mcp(server:tool).')
    else:
        server, mark, tool = text.partition(":" if ":" in text else MARK)
        if not (mark and tool):
            return ""
    is_one = MCP_SERVER.fullmatch(server) and MCP_TOOL.fullmatch(tool or "*")
    return f"{server}:{tool}".rstrip(":") if is_one else ""


def _mistake(scope: Scope, pattern: str) -> str:
    """What is wrong with a pattern; "" for nothing."""
    if scope in ("read", "write") or (scope == "bash" and is_path(pattern)):
        return globs.mistake(pattern)
    if scope == "bash" and pattern.startswith("@") and pattern != IN_SANDBOX.pattern:
        return f"of the words with @ there is only {IN_SANDBOX.pattern}"
    if scope == "bash" and pattern.endswith(" *"):
        return f"a command is taken as it is; with any arguments it is written Bash({pattern[:-2].rstrip()}:*)"
    if scope == "agent" and not re.fullmatch(r"[A-Za-z0-9-]+", pattern):
        return "write a type of agent as spawn_agent has it: explore"
    if scope == "web" and not re.fullmatch(r"(\*|(\*\.)?[^\s/*@]+)", pattern):
        return "write a domain without anything around it: docs.python.org, *.example.com"
    return ""


def is_path(pattern: str) -> bool:
    """Of Bash: /data/** is about paths that commands name, "/data/tool run" about a command."""
    return pattern.startswith(("/", "~")) and " " not in pattern and not pattern.endswith(":*")
