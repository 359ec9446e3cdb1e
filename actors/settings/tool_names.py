"""The tools, a line each, in the order the model sees them: the name, and the module that has it in capitals.

The modules are named, not imported: a rule about a tool is checked before anything runs.
"""

from collections.abc import Mapping

OF_WORKERS: Mapping[str, str] = {
    "read": "actors.tools.files.read",
    "list": "actors.tools.files.list",
    "glob": "actors.tools.search.glob_and_grep",
    "grep": "actors.tools.search.glob_and_grep",
    "symbols": "actors.tools.code.symbols",
    "edit": "actors.tools.files.edit",
    "multi_edit": "actors.tools.files.multi_edit",
    "apply_patch": "actors.tools.files.apply_patch",
    "morph_edit": "actors.tools.files.morph_edit",
    "write": "actors.tools.files.write",
    "move": "actors.tools.files.move_and_copy",
    "copy": "actors.tools.files.move_and_copy",
    "delete": "actors.tools.files.delete_and_make_dir",
    "make_dir": "actors.tools.files.delete_and_make_dir",
    "bash": "actors.tools.shell.bash",
    "bash_background": "actors.tools.shell.background",
    "bash_output": "actors.tools.shell.background",
    "bash_kill": "actors.tools.shell.background",
    "git_status": "actors.tools.git.git_tools",
    "git_diff": "actors.tools.git.git_tools",
    "git_log": "actors.tools.git.git_tools",
    "git_show": "actors.tools.git.git_tools",
    "gh": "actors.tools.git.gh",
    "web_fetch": "actors.tools.web.fetch",
    "web_search": "actors.tools.web.search",
    "todo": "actors.tools.todo",
}
OF_THE_GATE = ("ask_user", "present_plan", "remember", "skill", "recall", "search_tools", "call_tool")
SEARCH_TOOLS, CALL_TOOL = OF_THE_GATE[-2:]
"""In the place of MCP servers' tools, where those are many."""
OF_THE_AGENT = ("spawn_agent", "list_agents", "agent_result", "send_to_agent", "cancel_agent", "merge_agent")
ALL = (*OF_WORKERS, *OF_THE_GATE, *OF_THE_AGENT)


def rule_name(tool: str) -> str:
    """What a rule calls a tool: `git_log` is GitLog."""
    return "".join(part.capitalize() for part in tool.split("_"))
