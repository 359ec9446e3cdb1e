"""macOS: a command's profile for sandbox-exec, by the same policy as elsewhere. Tested as text only, never run."""

import contextlib
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TypeVar

import msgspec

from actors.common import own_code
from actors.confinement.protected_places import PROTECTED
from actors.confinement.sandbox.view import masks
from actors.messages.tool import Grant

Made = TypeVar("Made")
SANDBOX_EXEC = "/usr/bin/sandbox-exec"
DEVICES = ("/dev/null", "/dev/zero", "/dev/tty", "/dev/stdout", "/dev/stderr", "/dev/dtracehelper", "/dev/ptmx")
FIRST = """(version 1)
(allow default)
(deny file-write*)
(deny network*)
(deny file-link)
(deny process-info* (target others))
(allow process-info* (target same-sandbox))
(deny signal (target others))
(allow signal (target same-sandbox))"""


class Policy(msgspec.Struct, frozen=True):
    """What one command may do. Paths are absolute, symlinks resolved."""

    writable: tuple[Path, ...]
    protected: tuple[Path, ...]
    """Not written although they lie in something writable, whether they are there or not."""
    hidden: tuple[Path, ...]
    """Neither read nor written."""
    around: tuple[Path, ...] = ()
    """The same, but for what is writable in it: a copy of a repository lies in TROUPER_HOME."""
    network: bool = False


class Seatbelt(msgspec.Struct, frozen=True):
    """How the commands of one worker are confined."""

    workspace: Path
    temporary: Path
    hidden: tuple[Path, ...]

    @property
    def reports(self) -> bool:
        return False

    def wrapped(
        self, argv: Sequence[str], _cwd: Path, grant: Grant, _status_fd: int, *, looks: bool = False
    ) -> contextlib.AbstractContextManager[tuple[Sequence[str], tuple[int, ...]]]:
        """What to run. Raises ToolFailed: too much of the workspace is to be hidden."""
        around = tuple(path for path in self.hidden if self.workspace.is_relative_to(path))
        policy = Policy(
            writable=(*(() if looks else (self.workspace,)), self.temporary),
            protected=(*(self.workspace / name for name in PROTECTED), *own_code.held(self.workspace)),
            hidden=(*(path for path in self.hidden if path not in around), *masks.find(self.workspace, grant.hidden)),
            around=around,
            network=grant.network,
        )
        return contextlib.nullcontext(([SANDBOX_EXEC, "-p", profile(policy), *argv], ()))

    def run(self, make: Callable[[], Made], _grant: Grant) -> Made:
        return make()


def profile(policy: Policy) -> str:
    """In the language of Seatbelt; what stands later counts more."""
    devices = " ".join(f"(literal {_quoted(device)})" for device in DEVICES)
    lines = [
        FIRST,
        *([f"(deny file-read* file-write* {_below(policy.around)})"] if policy.around else []),
        *([f"(allow file-read* {_below(policy.writable)})"] if policy.around else []),
        f"(allow file-write* {_below(policy.writable)})",
        f'(allow file-write* {devices} (regex #"^/dev/ttys[0-9]+$"))',
        *([f"(deny file-write* {_below(policy.protected)})"] if policy.protected else []),
        *([f"(deny file-read* file-write* {_below(policy.hidden)})"] if policy.hidden else []),
        "(allow network*)" if policy.network else '(allow network* (local ip "localhost:*") (remote ip "localhost:*"))',
        '(deny network-outbound (remote unix-socket (path-regex #"/(docker|ssh-|agent)")))',
    ]
    return "\n".join(lines) + "\n"


def _below(paths: Iterable[Path]) -> str:
    return " ".join(f"(subpath {_quoted(str(path))})" for path in paths)


def _quoted(text: str) -> str:
    """A string of the profile's language: it must not end early, whatever a folder is called."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
