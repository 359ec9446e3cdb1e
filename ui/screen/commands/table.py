"""The slash commands, a line each, in the order of /help: the name, and the module with its capitals, _ for -."""

from importlib import import_module

from ui.screen.commands.base import Command

MODULES = {
    "help": "help",
    "keys": "help",
    "status": "reports",
    "doctor": "reports",
    "terminal-setup": "reports",
    "theme": "help",
    "quit": "session",
    "new": "session",
    "clear": "session",
    "resume": "session",
    "takeover": "session",
    "name": "session",
    "tree": "tree",
    "fork": "tree",
    "rewind": "tree",
    "copy": "reports",
    "export": "reports",
    "model": "model",
    "effort": "model",
    "context": "context",
    "compact": "context",
    "cost": "reports",
    "budget": "context",
    "mode": "mode",
    "plan": "mode",
    "ask": "mode",
    "attach": "memory",
    "todo": "reports",
    "diff": "reports",
    "agents": "agents",
    "jobs": "agents",
    "permissions": "permissions",
    "tools": "reports",
    "skills": "reports",
    "mcp": "mcp",
    "remember": "memory",
    "memory": "memory",
}
GROUPS = {
    "help": "The program",
    "new": "Sessions, such as: /new fix the totals",
    "model": "Model and cost, such as: /model opus high",
    "mode": "Work, such as: /ask what is this folder for?",
    "permissions": "What it may and has, such as: /permissions forget 2",
}
"""Of /help: what begins with this command."""
ALIASES = {
    "exit": "quit",
    "q": "quit",
    "h": "help",
    "?": "help",
    "commands": "help",
    "usage": "cost",
    "reset": "clear",
    "continue": "resume",
    "sessions": "resume",
    "models": "model",
    "allowed-tools": "permissions",
    "approvals": "permissions",
    "rename": "name",
    "todos": "todo",
    "ps": "jobs",
    "bashes": "jobs",
    "tasks": "jobs",
    "undo": "rewind",
}
"""What other agents call them."""
BY_NAME: dict[str, Command] = {
    name: getattr(import_module(f"ui.screen.commands.{module}"), name.upper().replace("-", "_"))
    for name, module in MODULES.items()
}
