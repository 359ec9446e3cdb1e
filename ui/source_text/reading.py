"""One file below a folder, read so that nothing in the folder decides what is read: no symlink, no pipe, no device."""

import errno
import hashlib
import os
import stat
from pathlib import Path

from actors.settings.redaction import redacted
from ui.source_text.decoding import decoded, shortened
from ui.source_text.languages import is_code
from ui.source_text.source_file import Changed, SourceFile

MOST_BYTES = 512 * 1024
"""Of a file."""
LOOK = os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK


class NotRegular(OSError):
    """A symlink, or in a folder that is one; a pipe, a socket, a device."""


class TooBig(OSError):
    """More than MOST_BYTES."""


def text_of(root: Path, file: SourceFile) -> str:
    """As it may leave: without secrets, with the lines that it has, none of them endless. Raises Changed."""
    text = decoded(exactly(root, file))
    if text is None:
        raise Changed(file.path)
    return shortened(redacted(text, in_code=is_code(file.path)))


def lines(root: Path, file: SourceFile) -> list[str]:
    """The same, without line ends. Raises Changed."""
    text = text_of(root, file)
    return text.removesuffix("\n").split("\n")


def exactly(root: Path, file: SourceFile) -> bytes:
    """What is in it; raises Changed where that is not what was collected."""
    try:
        data = read(root, file.path)
    except OSError as error:
        raise Changed(file.path) from error
    if hashlib.sha256(data).hexdigest() != file.sha256:
        raise Changed(file.path)
    return data


def read(root: Path, path: str) -> bytes:
    """All of it. path: relative. Raises OSError: NotRegular, TooBig, or what the system says."""
    *folders, name = path.split("/")
    within = os.open(root, LOOK | os.O_DIRECTORY)
    try:
        for folder in folders:
            deeper = _opened(folder, within, os.O_DIRECTORY)
            os.close(within)
            within = deeper
        if not stat.S_ISREG(os.stat(name, dir_fd=within, follow_symlinks=False).st_mode):
            raise NotRegular(errno.EINVAL, "not a regular file", path)  # to open a device may already do something
        descriptor = _opened(name, within)
    finally:
        os.close(within)
    with open(descriptor, "rb", buffering=0) as file:  # noqa: PTH123  # of a descriptor
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode):
            raise NotRegular(errno.EINVAL, "not a regular file", path)
        data = b"" if found.st_size > MOST_BYTES else file.read(found.st_size + 1)
        if found.st_size > MOST_BYTES or len(data) > found.st_size:  # it is being written
            raise TooBig(errno.EFBIG, "too large", path)
    return data


def _opened(name: str, within: int, flags: int = 0) -> int:
    try:
        return os.open(name, LOOK | flags, dir_fd=within)
    except OSError as error:
        if error.errno in (errno.ELOOP, errno.ENOTDIR, errno.EMLINK):
            raise NotRegular(error.errno, "not a regular file", name) from error
        raise
