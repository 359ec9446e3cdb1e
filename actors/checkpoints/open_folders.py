"""The way to a file of a workspace that may be hostile: folder by folder, by descriptor, and no symlink is followed."""

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager

FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


@contextmanager
def opened(root: int, path: bytes) -> Iterator[tuple[int, bytes]]:
    """The folder that something lies in, and its name there. Raises OSError, also where the way leads out."""
    *folders, name = path.rstrip(b"/").split(b"/")
    if not {b"", b".", b".."}.isdisjoint((*folders, name)):
        raise OSError(errno.EINVAL, "it leads out of the workspace")
    descriptor = os.dup(root)
    try:
        for folder in folders:
            inner = os.open(folder, FOLDER, dir_fd=descriptor)
            os.close(descriptor)
            descriptor = inner
        yield descriptor, name
    finally:
        os.close(descriptor)


def status(root: int, path: bytes) -> os.stat_result:
    """Of what is there, also of a symlink itself. Raises OSError."""
    with opened(root, path) as (folder, name):
        return os.stat(name, dir_fd=folder, follow_symlinks=False)
