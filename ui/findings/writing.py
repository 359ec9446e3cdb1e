"""A report as a file of the workspace: whole or not at all, never through a link, never over what is no report of ours.

The repository may be somebody else's, so folders are opened one by one and what they hold is named from there: a link
that is put in between is met and not followed.
"""

import os
import secrets
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import msgspec

from actors.settings.redaction import redacted
from ui.common.usage_errors import Usage
from ui.findings import json_report, markdown, sarif
from ui.findings.report import Form, Report

FORMS: dict[Form, Callable[[Report], str]] = {
    "markdown": markdown.markdown,
    "sarif": sarif.sarif,
    "json": json_report.json_report,
}
BEGINS = tuple(begins.encode() for begins in (markdown.BEGINS, sarif.BEGINS, json_report.BEGINS))
FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


def rendered(report: Report, form: Form) -> str:
    """A secret that was typed with the command stays out."""
    return FORMS[form](msgspec.structs.replace(report, command=redacted(report.command)))


def is_report(data: bytes) -> bool:
    """Is it one of ours? The first 1,000 bytes are enough."""
    return data.startswith(BEGINS)


def check_out(out: Path, workspace: Path) -> None:
    """Before anything is paid for: may a report be written there, and could it? Raises Usage."""
    with _folder_of(out, workspace) as folder:
        _mode(out, folder)
        if not os.access(".", os.W_OK | os.X_OK, dir_fd=folder):
            raise _refused(out, "you may not write in its folder")


def write(report: Report, form: Form, out: Path, workspace: Path) -> None:
    """out: absolute, or relative to the workspace. It keeps the mode that it has. Raises Usage."""
    data = rendered(report, form).encode()
    with _folder_of(out, workspace) as folder:
        try:
            _replace(out.name, folder, data, _mode(out, folder))
        except OSError as error:
            raise _refused(out, error.strerror or str(error)) from error


@contextmanager
def _folder_of(out: Path, workspace: Path) -> Iterator[int]:
    """Opened; it and all above it, up to the workspace, are folders and no links."""
    whole = Path(workspace, out)
    if not whole.is_relative_to(workspace) or ".." in whole.parts or whole == workspace:
        raise _refused(out, f"it is outside of the workspace {workspace}")
    *above, _ = whole.relative_to(workspace).parts
    if ".git" in map(str.casefold, above):
        raise _refused(out, "it is in git's own folder")
    descriptor = os.open(workspace, FOLDER & ~os.O_NOFOLLOW)
    try:
        for name in above:
            inner = _opened(name, descriptor, out)
            os.close(descriptor)
            descriptor = inner
        yield descriptor
    finally:
        os.close(descriptor)


def _opened(name: str, folder: int, out: Path) -> int:
    try:
        return os.open(name, FOLDER, dir_fd=folder)
    except FileNotFoundError as error:
        raise _refused(out, f'there is no folder "{name}": make it first') from error
    except NotADirectoryError as error:  # of a link, too
        raise _refused(out, f'"{name}" is a link, or no folder') from error
    except OSError as error:
        raise _refused(out, f'"{name}": {error.strerror}') from error


def _mode(out: Path, folder: int) -> int | None:
    """Of the report that is there; None where nothing is. Raises Usage for anything else."""
    try:
        descriptor = os.open(out.name, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=folder)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise _refused(out, "it is a link, or cannot be read") from error
    try:
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode):
            raise _refused(out, "it is there and is no file")
        if found.st_size and not is_report(os.read(descriptor, 1000)):
            raise _refused(out, "it is there and is no report of ours")
        return stat.S_IMODE(found.st_mode)
    finally:
        os.close(descriptor)


def _replace(name: str, folder: int, data: bytes, mode: int | None) -> None:
    temporary = f".trouper-{secrets.token_hex(8)}.tmp"
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666, dir_fd=folder)
    try:
        with os.fdopen(descriptor, "wb") as file:
            if mode is not None:
                os.fchmod(descriptor, mode)
            file.write(data)
            file.flush()
            os.fsync(descriptor)
        os.replace(temporary, name, src_dir_fd=folder, dst_dir_fd=folder)
        os.fsync(folder)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary, dir_fd=folder)
        raise


def _refused(out: Path, why: str) -> Usage:
    return Usage(f"cannot write {out}: {why}. Name another file with --out, or - for standard output.")
