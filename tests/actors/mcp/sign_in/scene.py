"""A server behind a sign-in as it is configured, and a user who signs in to it."""

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from actors.messages.auth import LoggedIn, LogIn, LogInStep
from actors.settings.mcp.servers import McpServer
from tests.fakes.mcp_actor import Asker
from tests.fakes.mcp_sign_in import SignedIn, followed

Browser = Callable[[str], Awaitable[object]]


def behind(http: SignedIn, **more: Any) -> McpServer:  # noqa: ANN401  # fields of McpServer
    return McpServer(name="fake", transport="http", url=http.url, source="/mcp.json", scope="user", **more)


def kept(folder: Path) -> Path:
    return folder / "home" / "mcp-sign-ins" / "fake.json"


async def signed_in(asker: Asker, browser: Browser = followed) -> LoggedIn:
    """Raises Failed."""
    async with asker.mailbox.stream(asker.name, LogIn(provider="fake")) as stream:
        async for step in stream:
            assert isinstance(step, LogInStep)
            await browser(step.url)
        return await stream.result(LoggedIn)
