"""Signing in to an MCP server from the screen."""

from dataclasses import dataclass

from actors.errors import ActorDied, Failed
from actors.settings.mcp.servers import McpServer
from ui.screen.questions.browser_sign_in import BrowserSignIn
from ui.screen.servers.orders import Orders, actor_of


@dataclass(frozen=True)
class SignIn:
    orders: Orders
    browser: BrowserSignIn

    async def to(self, server: McpServer) -> None:
        """Until it is done, refused or given up; then nothing is kept."""
        if self.orders.news.is_awaited(server.name):
            self.orders.say(f"something is asked of {server.name} already: wait for its end", "warning")
            return
        try:
            with self.orders.news.awaited(server.name):
                await self.orders.start(server)
                done = await self.browser.follow(actor_of(server), server.name)
        except ActorDied as death:
            self.orders.say(f"the sign-in to {server.name} broke off: {death} Again: /mcp login {server.name}", "error")
            return
        except Failed as failure:
            self.orders.say(str(failure), "error")
            return
        said = f"signed in to {server.name}" if done else f"given up: there is no sign-in to {server.name}"
        self.orders.say(said, "info")
