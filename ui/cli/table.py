"""The commands, a line each: `trouper NAME` is the module of that name in `subcommands/` or `health/`, with a `main`.
A hyphen is an underline there.

Help, completion, what is started early and what is taken for a mistaken prompt come from here. Standard library only,
and not even typing: the first frame waits for it.
"""


class Subcommand:
    """group: its heading in help. front: the module that runs as its ui actor; "" where it starts no actors.

    models: which it asks: "" for none, "scripted" for that one alone, "any".
    """

    __slots__ = ("arguments", "front", "group", "models", "summary")

    def __init__(self, group: str, arguments: str, summary: str, *, front: str = "", models: str = "") -> None:
        self.group = group
        self.arguments = arguments
        self.summary = summary
        self.front = front
        self.models = models


OWN = "ui.cli.subcommands."


SUBCOMMANDS = {
    "demo": Subcommand(
        "start", "", "see it work: offline, no key needed", front="ui.plain.entrance", models="scripted"
    ),
    "batch": Subcommand("many", "TASKS", "many tasks, each an agent of its own", front="ui.batch.front", models="any"),
    "audit": Subcommand("many", "[FOCUS]", "security problems here, in a report", front="ui.audit.front", models="any"),
    "review": Subcommand("many", "[TARGET]", "look over a change", front="ui.review.front", models="any"),
    "sessions": Subcommand("look", "", "list, show, export and import sessions", front=OWN + "sessions"),
    "agents": Subcommand("look", "", "agents at work; steer or cancel one"),
    "tools": Subcommand("look", "", "the model's tools; run one without a model", front=OWN + "tools"),
    "worktrees": Subcommand("look", "", "what agents changed in copies; merge it", front=OWN + "worktrees"),
    "top": Subcommand("look", "", "the processes of every running session, live"),
    "auth": Subcommand("set up", "", "keys of model services, and signing in to them"),
    "models": Subcommand("set up", "", "the models, and what they cost", front=OWN + "models", models="any"),
    "permissions": Subcommand("set up", "", "the rules, and what they say of a call", front=OWN + "permissions"),
    "mcp": Subcommand("set up", "", "MCP servers: add, list, call, trust, import"),
    "doctor": Subcommand("set up", "", "try what can be done here", front="ui.cli.health.doctor", models="any"),
    "bug-report": Subcommand(
        "set up", "", "a file for whoever looks for a fault", front="ui.bug_report.front", models="any"
    ),
    "completion": Subcommand("set up", "SHELL", "completion of all this for bash, zsh or fish"),
}
HEALTH = ("doctor", "bug-report")
"""Those in `health/`."""


def module(name: str) -> str:
    """Where the command of that name is."""
    return ("ui.cli.health." if name in HEALTH else OWN) + name.replace("-", "_")
