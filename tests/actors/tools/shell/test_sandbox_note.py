"""What the model is told when its command failed for the sandbox."""

from pathlib import Path

import pytest

from actors.messages.tool import Grant, SandboxLevel
from actors.tools.shell.sandbox_note import own_note, sandbox_note

INSIDE, CONNECTED, OUTSIDE = Grant(), Grant(network=True), Grant(sandboxed=False)
RESOLVE = "curl: (6) Could not resolve host: example.org"
READ_ONLY = "touch: cannot touch '/etc/x': Read-only file system"


@pytest.mark.parametrize(
    ("output", "code", "grant", "level", "hint"),
    [
        (RESOLVE, 6, INSIDE, "bubblewrap", "network=true"),
        ("fatal: unable to access 'https://x/': Couldn't resolve host", 128, INSIDE, "landlock", "network=true"),
        ("npm error code EAI_AGAIN", 1, INSIDE, "bubblewrap", "network=true"),
        ("requests: NameResolutionError: Failed to resolve", 1, INSIDE, "bubblewrap", "network=true"),
        ("dial tcp: lookup proxy.golang.org: no such host", 1, INSIDE, "bubblewrap", "network=true"),
        ("socket: Permission denied", 1, INSIDE, "landlock", "unsandboxed=true"),
        (READ_ONLY, 1, INSIDE, "bubblewrap", "unsandboxed=true"),
        ("Error: EROFS: read-only, open '/x'", 1, INSIDE, "bubblewrap", "unsandboxed=true"),
        ("pyenv: cannot rehash: ~/.pyenv/shims isn't writable", 1, INSIDE, "bubblewrap", "unsandboxed=true"),
        (READ_ONLY, 1, CONNECTED, "bubblewrap", "unsandboxed=true"),
        (RESOLVE, 6, CONNECTED, "bubblewrap", ""),
        ("Temporary failure resolving 'deb.debian.org'", 100, INSIDE, "bubblewrap", "network=true"),
        ("java.net.UnknownHostException: repo.maven.apache.org", 1, INSIDE, "landlock", "network=true"),
        ("error: dns error: failed to lookup", 2, INSIDE, "bubblewrap", "network=true"),
        ("npm error request failed, reason: getaddrinfo EAI_AGAIN", 0, INSIDE, "bubblewrap", "network=true"),
        (RESOLVE, 0, INSIDE, "bubblewrap", "network=true"),
        ("src/net.py:3: 'could not resolve host'", 0, INSIDE, "bubblewrap", ""),
        (READ_ONLY, 0, INSIDE, "bubblewrap", ""),
        (READ_ONLY, 1, OUTSIDE, "none", ""),
        (READ_ONLY, 1, INSIDE, "none", ""),
        ("AssertionError: 1 != 2", 1, INSIDE, "bubblewrap", ""),
    ],
)
def test_the_way_out_is_named_where_there_is_one(
    output: str, code: int, grant: Grant, level: SandboxLevel, hint: str
) -> None:
    note = sandbox_note(output, code, grant, level)

    assert hint in note
    assert bool(note) == bool(hint)


NPMRC = Path.home() / ".npmrc"


@pytest.mark.parametrize(
    ("output", "grant", "told"),
    [
        ("npm error code E401", CONNECTED, "[It may need ~/.npmrc: "),
        ("could not parse /home/me/.npmrc", CONNECTED, "[It may need ~/.npmrc: "),
        ("AssertionError: 1 != 2", CONNECTED, ""),
        (RESOLVE, INSIDE, "[Commands have no network here"),
    ],
)
def test_hidden_credentials_that_the_program_may_need_are_named(output: str, grant: Grant, told: str) -> None:
    note = sandbox_note(output, 1, grant, "bubblewrap", [NPMRC])

    assert note.startswith(told)
    assert ("~/.npmrc" in note, "unsandboxed=true" in note) == (bool(told), bool(told))


@pytest.mark.parametrize(
    ("output", "own", "told"),
    [
        ("Read-only file system: '/w/.venv/lib'", [".venv"], True),
        ("Read-only file system: '/etc'", [], False),
        ("AssertionError: 1 != 2", [".venv"], False),
    ],
)
def test_what_trouper_itself_runs_from_is_named_where_it_may_be_in_the_way(
    output: str, own: list[str], told: bool
) -> None:
    assert ("runs from .venv: " in own_note(output, own)) == told
