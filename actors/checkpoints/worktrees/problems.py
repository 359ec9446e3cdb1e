"""Why there is no worktree, or why it is left as it is: whatever stops us becomes words for people."""

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager

from actors.checkpoints.repository import GitFailed
from actors.errors import Failed, failed

FULL = (os.strerror(errno.ENOSPC), os.strerror(errno.EDQUOT), "Out of diskspace", "unable to write file")
"""The last two are git's own words for it, which name no error."""


def refused(why: str, hint: str = "") -> Failed:
    """The exception for it. why: a sentence."""
    return failed("no_worktree", why, hint)


@contextmanager
def explained() -> Iterator[None]:
    """Raises Failed of no_worktree instead of what is raised inside, or of disk_full."""
    try:
        yield
    except Failed as failure:
        problem = failure.problem
        if problem.code in ("no_worktree", "disk_full"):
            raise
        raise refused(problem.text, problem.hint) from failure
    except (GitFailed, OSError) as error:
        named = f" ({error.filename})" if isinstance(error, OSError) and isinstance(error.filename, str) else ""
        why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        if any(words in why for words in FULL):
            said = why.partition("\n")[0].rstrip(".")
            raise failed("disk_full", f"no space left for a worktree: {said}{named}.", "Free some space.") from error
        raise refused(f"{why.rstrip('.')}{named}.") from error
