"""What a model is told when its command failed and that looks like the sandbox's doing. Pure."""

import re

from actors.messages.tool import Grant, SandboxLevel

FILES = re.compile(
    r"read-only file system|operation not permitted|permission denied|(is not|isn.t) writable|\b(EROFS|EACCES|EPERM)\b",
    re.IGNORECASE,
)
NETWORK = re.compile(
    r"could ?n[o']t resolve|temporary failure in name resolution|name or service not known|failed to resolve"
    r"|network is unreachable|no route to host|nodename nor servname|failed to lookup address"
    r"|\b(EAI_AGAIN|ENOTFOUND|ENETUNREACH|NameResolutionError|NewConnectionError)\b"
    r"|dial tcp: lookup|could not connect to server|unable to connect to",
    re.IGNORECASE,
)
LAST_CHARS = 20_000
"""Of the output: what made a command fail is said near its end."""


def sandbox_note(output: str, exit_code: int | None, grant: Grant, level: SandboxLevel) -> str:
    """ "" where it has nothing to do with it. exit_code: None when it was ended."""
    if not exit_code or level == "none" or not grant.sandboxed:
        return ""
    end = output[-LAST_CHARS:]
    if not grant.network and NETWORK.search(end):
        return (
            "[Commands have no network here, only loopback. If this one needs it, run it again with network=true and "
            "say why: the user may be asked.]"
        )
    if FILES.search(end):
        return (
            "[This may be the sandbox: commands write only in the workspace, $TMPDIR and /tmp, and see no credentials. "
            "If it has to be, run it again with unsandboxed=true and say why: the user is asked.]"
        )
    return ""
