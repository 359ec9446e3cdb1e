"""/mcp: the MCP servers of this session; look at one, start it anew, sign in to it or out."""

from ui.screen.commands.base import Actions, Command, Misused

DO = ("restart", "login", "logout")


def run(actions: Actions, argument: str) -> None:
    match argument.split():
        case []:
            actions.choose_server()
        case [name] if name not in DO:
            actions.look_at_server(name)
        case [what, name] if what in DO:
            actions.do_with_server(what, name)
        case _:
            raise Misused(f"write /mcp, /mcp NAME or /mcp {'|'.join(DO)} NAME")


MCP = Command(
    "mcp",
    "[[DO] NAME]",
    "the MCP servers: look at one, or DO: restart, login, logout",
    run,
    completes=("SERVER", "restart SERVER", "login SERVER", "logout SERVER"),
)
