"""Where a worker has left the network of this machine: the one thread of it that has not, for commands that may use it.

A network namespace belongs to a thread, and what a thread starts is in the same one.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

Made = TypeVar("Made")
_thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="networked")
# of the process, because a thread is; it begins with its first order and stays as long as the process


def stay(settle: Callable[[], None]) -> None:
    """The thread begins, in the namespaces of the caller. It settles there first, such as by giving up its privileges.

    Raises what settling raises.
    """
    _thread.submit(settle).result()


def run(make: Callable[[], Made]) -> Made:
    """In that thread; blocks until it is done, and raises what it raises. Only after `stay`."""
    return _thread.submit(make).result()
