"""What the user asks about signing in: to do it, the address where a browser ended, to forget it."""

from actors.errors import failed
from actors.mailbox import Request
from actors.mcp.errors import NotConnected
from actors.mcp.server import Server
from actors.mcp.sign_in.way import SIGN_IN_S, Way
from actors.messages.auth import GiveRedirect, LoggedIn, LoggedOut
from actors.messages.base import Done


async def log_in(server: Server, way: Way, request: Request) -> None:
    """Raises Failed."""
    expanded = server.expanded()
    name = expanded.name
    if expanded.transport == "stdio":
        raise failed("bad_request", f"The MCP server {name} is a program here: there is nothing to sign in to.")
    ready, why = False, ""
    try:
        async with way.signing_in(expanded, request.send):
            server.restart()
            await server.settled(SIGN_IN_S)
            ready = server.state == "ready"
            why = server.described().error
    except NotConnected as error:
        raise failed("stalled", f"The sign-in to {name} could not begin: {error}.") from error
    except OSError as error:
        raise failed("bad_configuration", f"No browser could come back to this machine: {error}.") from error
    finally:
        if not ready:
            server.restart()  # it may wait for a browser that will not come
    if not ready:
        raise failed("unauthorized", why or f"The sign-in to {name} was not finished.")
    request.reply(LoggedIn())


async def give_redirect(server: Server, way: Way, wanted: GiveRedirect, request: Request) -> None:
    """Raises Failed."""
    if not way.give(wanted.url):
        raise failed("bad_request", f"Nobody is signing in to {server.server.name}, or that is not where it ends.")
    request.reply(Done())


async def log_out(server: Server, way: Way, request: Request) -> None:
    """Raises Failed."""
    try:
        forgotten = await way.store(server.expanded()).forget()
    except (NotConnected, OSError) as error:
        raise failed("bad_configuration", f"The sign-in could not be forgotten: {error}.") from error
    server.restart()
    request.reply(LoggedOut(forgotten=forgotten))
