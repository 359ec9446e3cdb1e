"""Which of our tools a file of an agent names: as ours are called, or as Claude Code calls its own. Pure."""

from collections.abc import Iterable

from actors.settings.tool_names import OF_THE_GATE, OF_WORKERS, rule_name

FOR_SUBAGENTS = (*OF_WORKERS, *(name for name in OF_THE_GATE if name in ("skill", "recall")))
"""All others ask the user, or are for who has subagents."""
WRITING = frozenset(("edit", "multi_edit", "apply_patch", "morph_edit", "write", "move", "copy", "delete", "make_dir"))
RUNNING = frozenset(("bash", "bash_background"))
OURS = {rule_name(name).casefold(): (name,) for name in FOR_SUBAGENTS} | {name: (name,) for name in FOR_SUBAGENTS}
THEIRS: dict[str, tuple[str, ...]] = {
    "ls": ("list",),
    "bash": ("bash", "bash_background", "bash_output", "bash_kill"),
    "killshell": ("bash_kill",),
    "edit": ("edit", "apply_patch", "morph_edit"),
    "todowrite": ("todo",),
    "todoread": ("todo",),
}
"""By the name in small letters: one of theirs may be several of ours."""


def allowed(names: Iterable[str]) -> tuple[str, ...]:
    """Those that are named as a whole: `Bash(git log:*)` is not the tool that this asks for, so it is none."""
    return _in_order(name.casefold() for name in names)


def without(names: Iterable[str]) -> tuple[str, ...]:
    """All others: of one that is denied for some arguments all is."""
    denied = _in_order(name.partition("(")[0].strip().casefold() for name in names)
    return tuple(name for name in FOR_SUBAGENTS if name not in denied)


def can_write(tools: tuple[str, ...]) -> bool:
    """(): with all tools. What one of an MCP server does nobody knows."""
    return not tools or not (WRITING | RUNNING).isdisjoint(tools) or any(":" in tool for tool in tools)


def _in_order(names: Iterable[str]) -> tuple[str, ...]:
    ours = {tool for name in names for tool in THEIRS.get(name, OURS.get(name, ()))}
    return tuple(name for name in FOR_SUBAGENTS if name in ours)
