"""A program that needs the token of a server named fake, and prints it: `python -m tests.fakes.mcp_renewer HOME URL`.

It begins when it is told to by a line on stdin, and says so.
"""

import sys

import httpx2
import trio

from actors.mcp.sign_in.way import Way
from actors.settings.mcp.servers import McpServer


async def main(home: str, url: str) -> None:
    server = McpServer(name="fake", transport="http", url=url, source="/mcp.json", scope="user")
    auth = Way(home, {}).auth(server)
    assert auth is not None
    print("ready", flush=True)
    sys.stdin.readline()
    print("begins", flush=True)
    request = await anext(auth.async_auth_flow(httpx2.Request("POST", url)))
    print(request.headers["authorization"], flush=True)


if __name__ == "__main__":
    trio.run(main, *sys.argv[1:])
