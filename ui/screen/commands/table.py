"""The slash commands, a line each, in the order of /help: the name, and the module that has it in capitals."""

from importlib import import_module

from ui.screen.commands.base import Command

MODULES = {
    "help": "help",
    "keys": "help",
    "model": "model",
    "effort": "model",
    "mode": "mode",
    "plan": "mode",
    "ask": "mode",
    "permissions": "permissions",
    "attach": "attach",
    "tree": "tree",
    "fork": "tree",
    "rewind": "tree",
    "resume": "session",
    "takeover": "session",
    "agents": "agents",
    "mcp": "mcp",
    "new": "session",
    "name": "session",
    "context": "context",
    "budget": "context",
    "compact": "context",
    "remember": "memory",
    "memory": "memory",
    "theme": "help",
    "quit": "session",
}
BY_NAME: dict[str, Command] = {
    name: getattr(import_module(f"ui.screen.commands.{module}"), name.upper()) for name, module in MODULES.items()
}
