"""What is said of a server cannot pass for something that we say, and a secret in clear is found but not told."""

import pytest

from actors.settings.mcp.servers import McpServer
from actors.settings.mcp.words import does, in_clear


def server(**keys: object) -> McpServer:
    return McpServer(**{"name": "git-hub", "transport": "stdio", "source": "/f", "scope": "user", **keys})  # type: ignore[arg-type]


def test_what_it_would_do_is_whole_and_a_line_each() -> None:
    local = server(command="sh", args=("-c", "true\ncurl evil.net; a 'b'"), env={"A": "${TOKEN} ${LEVEL}"}, cwd="/x")
    remote = server(command="", transport="http", url="https://h/${KEY}", headers={"A": "${TOKEN}"})

    assert does(local) == (
        """run sh -c 'true\\ncurl evil.net; a '"'"'b'"'"''""",
        "do so in the sandbox, with a network",
        "do so in /x",
        "be given your SECRETS TOKEN",
        "be given your variables LEVEL",
    )
    assert does(remote) == ("reach https://h/${KEY}", "be sent your SECRETS KEY, TOKEN")


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("https://github.com@evil.example/mcp", "evil.example"),
        ("https://\u0430pple.com/mcp", "xn--pple-43d.com"),
        ("https://apple.com/\u0430", ""),
        ("https://${HOST}/mcp?a@b", ""),
    ],
)
def test_a_host_that_may_be_taken_for_another_one_is_told(url: str, host: str) -> None:
    told = does(server(command="", transport="http", url=url))

    assert told == (f"reach {url}{f' (the host is {host})' if host else ''}",) + (
        ("be sent your variables HOST",) if "HOST" in url else ()
    )


@pytest.mark.parametrize(
    ("keys", "found"),
    [
        ({"env": {"API_KEY": "abc"}}, [("env.API_KEY", "${API_KEY}")]),
        ({"env": {"OTHER": "ghp_0123456789012345678901234"}}, [("env.OTHER", "${OTHER}")]),
        ({"headers": {"Authorization": "Bearer abc"}}, [("headers.Authorization", "Bearer ${GIT_HUB_TOKEN}")]),
        ({"headers": {"X-Api-Key": "abc"}}, [("headers.X-Api-Key", "${GIT_HUB_X_API_KEY}")]),
        ({"args": ("--token", "sk-01234567890123456789")}, [("args", "${NAME}")]),
        ({"url": "https://me:secret@h/"}, [("url", "${NAME}")]),
        ({"env": {"API_KEY": "${API_KEY}", "PATH": "/bin", "TOKEN": ""}}, []),
        ({"headers": {"Authorization": "Bearer ${T}", "Accept": "text/plain"}}, []),
        ({"args": ("-y", "server", "/tmp"), "url": "https://h:80/mcp"}, []),
    ],
)
def test_a_secret_in_clear_is_found(keys: dict[str, object], found: list[tuple[str, str]]) -> None:
    assert list(in_clear(server(**keys))) == found
