"""Tools and surroundings to judge calls in."""

import json
from pathlib import Path

from actors.gate.rules.call_decision import Context, Judgement, judge
from actors.messages.conversation import Effect, ToolCall
from actors.messages.model import ToolSpec, Touch
from actors.messages.tool import Mode, SandboxLevel
from actors.settings.permissions import Permissions, RuleLine

FILE = "config.toml"


def spec(name: str, effect: Effect, *touches: Touch, **more: object) -> ToolSpec:
    whole = {"name": name, "description": "", "parameters": "{}", "effect": effect, "touches": touches, **more}
    return ToolSpec(**whole)  # type: ignore[arg-type]  # the fields are those


def reads(argument: str, missing: str = "") -> Touch:
    return Touch(scope="read", argument=argument, missing=missing)


def writes(argument: str) -> Touch:
    return Touch(scope="write", argument=argument)


TOOLS = {
    tool.name: tool
    for tool in (
        spec("read", "read", reads("path")),
        spec("grep", "read", reads("path", missing=".")),
        spec("write", "write", writes("path")),
        spec("edit", "write", reads("path"), writes("path")),
        spec("multi_edit", "write", reads("edits[].path"), writes("edits[].path")),
        spec("apply_patch", "write", Touch(scope="patch", argument="input"), freeform=True),
        spec("copy", "write", reads("source"), writes("destination")),
        spec(
            "move",
            "write",
            writes("source"),
            Touch(scope="write", argument="destination", moved_to=True),
        ),
        spec("delete", "write", Touch(scope="delete", argument="path")),
        spec("todo", "meta", Touch(scope="write", argument="persist", fixed="TODO.md")),
        spec("bash", "execute", Touch(scope="bash", argument="command")),
        spec("bash_background", "execute", Touch(scope="bash", argument="command")),
        spec("web_fetch", "network", Touch(scope="web", argument="url"), runs_in="web"),
        spec("web_search", "network", runs_in="web"),
        spec("gh", "network", runs_in="open"),
        spec("present_plan", "meta", runs_in="gate"),
        spec("github___create_issue", "execute", runs_in="mcp", server="github", server_tool="create_issue"),
    )
}


def around(
    workspace: Path,
    mode: Mode = "default",
    *,
    level: SandboxLevel = "landlock",
    granted: tuple[str, ...] = (),
    **rules: tuple[str, ...],
) -> Context:
    """rules: allow, ask and deny. home is beside the workspace.

    landlock: nothing is hidden from commands, and the user has said that they need not be held; else all would ask.
    """
    return Context(
        mode=mode,
        rules=Permissions(**rules).lines(FILE),
        session=tuple(RuleLine(verdict="allow", text=text, source="this session") for text in granted),
        workspace=workspace,
        home=workspace.parent / "home",
        level=level,
        allow_unsandboxed=level == "landlock",
    )


def judged(context: Context, tool: str, **arguments: object) -> Judgement:
    return judge(ToolCall(call_id="1", name=tool, arguments=json.dumps(arguments)), TOOLS[tool], context)


def verdict(context: Context, tool: str, **arguments: object) -> str:
    return judged(context, tool, **arguments).decision.verdict


def run(context: Context, command: str, **more: object) -> Judgement:
    return judged(context, "bash", command=command, **more)
