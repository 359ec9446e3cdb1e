"""Why there is no worktree, or why it is left as it is: whatever stops us becomes words for people."""

from collections.abc import Iterator
from contextlib import contextmanager

from actors.checkpoints.repository import GitFailed
from actors.errors import Failed, failed


def refused(why: str, hint: str = "") -> Failed:
    """The exception for it. why: a sentence."""
    return failed("no_worktree", why, hint)


@contextmanager
def explained() -> Iterator[None]:
    """Raises Failed of no_worktree instead of what is raised inside."""
    try:
        yield
    except Failed as failure:
        problem = failure.problem
        if problem.code == "no_worktree":
            raise
        raise refused(problem.text, problem.hint) from failure
    except (GitFailed, OSError) as error:
        named = f" ({error.filename})" if isinstance(error, OSError) and isinstance(error.filename, str) else ""
        why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise refused(f"{why.rstrip('.')}{named}.") from error
