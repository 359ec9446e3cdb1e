"""What a model is told when its command failed and that looks like the sandbox's doing. Pure."""

import re
from collections.abc import Sequence
from pathlib import Path

from actors.common.own_code import ELSEWHERE
from actors.messages.tool import Grant, SandboxLevel

FILES = re.compile(
    r"read-only file system|operation not permitted|permission denied|(is not|isn.t) writable|\b(EROFS|EACCES|EPERM)\b",
    re.IGNORECASE,
)
NETWORK = re.compile(
    r"(could ?n[o']t|unable to) resolve|temporary failure (in name resolution|resolving)|name or service not known"
    r"|failed to resolve|unknown ?host|dns error|getaddrinfo"
    r"|network is unreachable|no route to host|nodename nor servname|failed to lookup address"
    r"|\b(EAI_AGAIN|ENOTFOUND|ENETUNREACH|NameResolutionError|NewConnectionError)\b"
    r"|dial tcp: lookup|could not connect to server|unable to connect to",
    re.IGNORECASE,
)
CREDENTIALS = re.compile(
    r"\b(40[134]|E40[134]|ENEEDAUTH|unauthori[sz]ed|forbidden|authenticat\w*|authori[sz]ation|credentials?|publickey"
    r"|access denied|not logged in|log ?in|sign in|api[ _-]?key)\b",
    re.IGNORECASE,
)
"""What programs say that miss them."""
MOST_NAMED = 3
SAYS = re.compile(
    r"(npm (error|ERR!)|curl: \(|fatal: |WARNING: Retrying|ERROR: |error: |go: |wget: |[WE]: )", re.IGNORECASE
)
"""How programs begin the line that says why they failed: for exit codes that are of the `tail` behind them."""
LAST_CHARS = 20_000
"""Of the output: what made a command fail is said near its end."""


def sandbox_note(
    output: str, exit_code: int | None, grant: Grant, level: SandboxLevel, credentials: Sequence[Path] = ()
) -> str:
    """ "" where it has nothing to do with it. exit_code: None when it was ended.

    credentials: that there are and that its programs may need.
    """
    if exit_code is None or level == "none" or not grant.sandboxed:
        return ""
    end = output[-LAST_CHARS:]
    if not grant.network and _lacks_network(end, failed=exit_code != 0):
        return (
            "[Commands have no network here, only loopback. If this one needs it, run it again with network=true and "
            f"say why: the user may be asked.{_beside(credentials)}]"
        )
    if exit_code and (needed := [path for path in credentials if CREDENTIALS.search(end) or path.name in end]):
        return (
            f"[It may need {_named(needed)}: credentials are hidden from commands in the sandbox. If so, run it again "
            "with unsandboxed=true and say why: the user is asked.]"
        )
    if exit_code and FILES.search(end):
        return (
            "[This may be the sandbox: commands write only in the workspace, $TMPDIR and /tmp, and see no credentials. "
            "If it has to be, run it again with unsandboxed=true and say why: the user is asked.]"
        )
    return ""


def own_note(output: str, own: Sequence[str]) -> str:
    """Of a command that failed. own: what of the workspace Trouper itself runs from."""
    if not own or not FILES.search(output[-LAST_CHARS:]):
        return ""
    return f"\n[Trouper itself runs from {', '.join(own)}: commands in the sandbox cannot change that. {ELSEWHERE}]"


def _beside(credentials: Sequence[Path]) -> str:
    """Without its settings a program may ask another service than it should."""
    if not credentials:
        return ""
    return f" {_named(credentials)} stays hidden then: if it needs that, too, only unsandboxed=true helps."


def _named(paths: Sequence[Path]) -> str:
    return ", ".join(str(path).replace(str(Path.home()), "~", 1) for path in paths[:MOST_NAMED])


def _lacks_network(end: str, *, failed: bool) -> bool:
    if failed:
        return bool(NETWORK.search(end))
    return any(SAYS.match(line) and NETWORK.search(line) for line in end.splitlines())
