"""What the model is told when its command failed for the sandbox."""

import pytest

from actors.messages.tool import Grant, SandboxLevel
from actors.tools.sandbox.note import sandbox_note

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
