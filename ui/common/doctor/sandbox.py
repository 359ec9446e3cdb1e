"""The sandbox: how strong it is, and each protection as a command in it has really tried it."""

import os
import secrets
import socket
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from itertools import islice
from pathlib import Path

import msgspec

from actors.common import own_code
from actors.common.folders import lives
from actors.mailbox import Mailbox
from actors.messages.system import Protection, SandboxTried, Tried, TrySandbox
from actors.messages.tool import SandboxLevel
from actors.settings import credential_files
from actors.settings.config import Settings
from ui.common.doctor import workspace
from ui.common.doctor.rows import Row

BETTER = (
    "bubblewrap starts commands faster and is tried by many: apt install bubblewrap (or dnf, pacman, apk); "
    "where it is installed, what is found says why it does not work"
)
WHY_NOT = (
    "the sandbox needs user namespaces: see kernel.unprivileged_userns_clone and "
    "kernel.apparmor_restrict_unprivileged_userns, or the container's settings"
)
OPEN = (
    "every command asks, for it could reach sockets such as docker's, change .git/hooks, .trouper and modes of files "
    "outside, see other processes and end its worker"
)
"""What Landlock alone does not close."""
MOST_SECRETS = 64


class Meaning(msgspec.Struct, frozen=True):
    """Of a protection, in words."""

    holds: str
    broken: str
    """Before what got through."""
    means: str
    """What to make of it when it is broken."""


MEANINGS: dict[Protection, Meaning] = {
    "workspace": Meaning(
        "a command can write its workspace",
        "a command cannot write",
        "no work is possible by commands: see who owns the folder, and whether its disk is read-only",
    ),
    "files": Meaning(
        "files outside cannot be written",
        "a command wrote in",
        "a command could change your files elsewhere: let none run unasked",
    ),
    "git": Meaning(
        ".git/hooks, .git/config and .trouper cannot be written",
        "a command wrote",
        "a command could plant what runs outside the sandbox later: look at these before you use git",
    ),
    "secrets": Meaning(
        "keys and credentials cannot be read",
        "a command read",
        "a command could show keys to the model: keep them elsewhere, or deny reading them by a rule",
    ),
    "network": Meaning(
        "no server on this machine is reached",
        "a command reached",
        "a command could send away what it reads",
    ),
    "sockets": Meaning(
        "sockets of other programs are not reached",
        "a command reached",
        "a command could have another program, such as docker, do what it must not do itself",
    ),
    "processes": Meaning(
        "other processes are not seen",
        "a command sees",
        "a command could learn of your other programs, or signal them",
    ),
    "keys": Meaning(
        "no key is in a command's environment",
        "a command sees the variables",
        "take them out of `environment` in config.toml",
    ),
    "privileges": Meaning(
        "no privileges can be gained, system calls are filtered",
        "of a command",
        "a fault of the kernel is easier to reach: update bubblewrap and the kernel",
    ),
}
BROKEN = "the sandbox does not do what it should here; report it (trouper bug-report)"


async def rows(mailbox: Mailbox, settings: Settings) -> Sequence[Row]:
    """Raises Failed."""
    with _targets(settings) as aims:
        said = await mailbox.insist("gate", aims, SandboxTried)
        tries = [_really(one, aims) for one in said.tries]
    first = [level_row(said.level, said.detail, settings), *workspace.own_rows(said.level, settings)]
    if said.why_not:
        why = f"what it protects could not be tried: {said.why_not}"
        return [*first, Row(name="sandbox: tried", state="warning", found=why, advice=WHY_NOT)]
    stronger = first[0].advice if said.level == "landlock" else ""
    return [*first, *(protection_row(one, stronger) for one in tries)]


def protection_row(tried: Tried, stronger: str) -> Row:
    """stronger: the way to a sandbox that leaves less open; "" where this one should leave nothing open."""
    name, meaning = f"sandbox: {tried.protection}", MEANINGS[tried.protection]
    if not tried.through:
        return Row(name=name, found=meaning.holds)
    found = f"{meaning.broken} {', '.join(tried.through)}"
    advice = f"{meaning.means}; {BROKEN}"
    if tried.protection in ("workspace", "keys"):
        advice = meaning.means
    elif stronger and tried.protection not in ("files", "secrets"):
        advice = f"{meaning.means}; Landlock alone leaves that open: {stronger}"
    return Row(name=name, state="warning", found=found, advice=advice)


def level_row(level: SandboxLevel, detail: str, settings: Settings) -> Row:
    found = detail or level
    if settings.unrestricted:
        advice = "only where the whole machine is thrown away afterwards: everything runs unasked and unsandboxed"
        return Row(name="sandbox", state="note", found="none: unrestricted", advice=advice)
    if level == "bubblewrap":
        return Row(name="sandbox", found=found)
    if level == "namespaces":
        enough = settings.sandbox == "namespaces"
        return Row(name="sandbox", state="ok" if enough else "note", found=found, advice="" if enough else BETTER)
    if settings.sandbox in ("landlock", "none"):
        advice = 'set sandbox = "auto", or leave --no-sandbox out'
    elif own_code.loose(Path(settings.cwd)) is not None:
        advice = own_code.ELSEWHERE
    elif sys.platform != "linux":
        advice = "every command needs your approval here"
    else:
        advice = WHY_NOT
    still_open = f"; {OPEN}" if level == "landlock" else ""
    return Row(name="sandbox", state="warning", found=f"{found}{still_open}", advice=advice)


def _really(tried: Tried, aims: TrySandbox) -> Tried:
    """What a command made in a view of its own, and is not there, it has not made."""
    if tried.protection not in ("files", "git"):
        return tried
    made = tuple(path for path in tried.through if path in aims.changed or Path(path, aims.mark).exists())
    return msgspec.structs.replace(tried, through=made)


@contextmanager
def _targets(settings: Settings) -> Iterator[TrySandbox]:
    """All that is there to aim at, only for as long as it is tried."""
    mark = f".trouper-doctor-{secrets.token_hex(8)}"
    cwd = Path(settings.cwd).resolve()
    outside = tuple(map(str, _outside(cwd, Path(settings.home))))
    protected = tuple(str(path) for path in (cwd / ".git/hooks", cwd / ".trouper") if path.is_dir())
    with ExitStack() as stack:
        stack.callback(_remove, [*outside, *protected, str(cwd)], mark)
        secret = Path(settings.home, "run", mark)
        stack.callback(secret.unlink, missing_ok=True)
        with suppress(OSError):  # a full disk: the others are there
            secret.write_text("a secret\n")
        port, sockets = _listening(stack, mark)
        yield TrySandbox(
            mark=mark,
            outside=outside,
            protected=protected,
            changed=tuple(str(path) for path in (cwd / ".git/config",) if path.is_file()),
            secrets=(str(secret), *islice(_kept(cwd), MOST_SECRETS)),
            port=port,
            sockets=sockets,
            process=lives.of(os.getpid()),
        )


def _outside(cwd: Path, home: Path) -> Iterator[Path]:
    """Where we can make files ourselves: that others cannot says nothing of the sandbox."""
    places = dict.fromkeys((Path.home(), home, cwd.parent, Path("/var/tmp")))  # noqa: S108  # commands have no own one there
    for place in places:
        if os.access(place, os.W_OK) and not place.resolve().is_relative_to(cwd):
            yield place


def _kept(cwd: Path) -> Iterator[str]:
    """Places of credentials that have something in them."""
    for name in credential_files.names():
        path = Path(name)
        with suppress(OSError):
            if not cwd.is_relative_to(path) and (any(path.iterdir()) if path.is_dir() else path.stat().st_size):
                yield name


def _listening(stack: ExitStack, mark: str) -> tuple[int, tuple[str, ...]]:
    """The port, and the Unix sockets."""
    tcp = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
    path = str(
        Path(tempfile.gettempdir(), f"{mark}.socket")
    )  # a command may have to write beside it, of the other name
    addresses = []
    for address in (path, *((f"@{mark}",) if sys.platform == "linux" else ())):
        unix = stack.enter_context(socket.socket(socket.AF_UNIX))
        with suppress(OSError):  # its path is too long, or the disk full
            unix.bind(address.replace("@", "\0", 1) if address.startswith("@") else address)
            unix.listen()
            addresses.append(address)
    stack.callback(Path(path).unlink, missing_ok=True)
    return int(tcp.getsockname()[1]), tuple(addresses)


def _remove(folders: Sequence[str], mark: str) -> None:
    for folder in folders:
        with suppress(OSError):
            Path(folder, mark).unlink(missing_ok=True)
