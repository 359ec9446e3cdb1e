"""Where a worker has left the network of this machine: the one thread of it that has not, for commands that may use it.

A network namespace belongs to a thread, and what a thread starts is in the same one.
"""

import threading
from collections.abc import Callable
from queue import SimpleQueue
from typing import Generic, TypeVar

Made = TypeVar("Made")


class _Order(Generic[Made]):
    def __init__(self, make: Callable[[], Made]) -> None:
        self._make = make
        self._outcome: SimpleQueue[Made | BaseException] = SimpleQueue()

    def carry_out(self) -> None:
        try:
            self._outcome.put(self._make())
        except BaseException as error:  # noqa: BLE001  # it is raised where the order was given
            self._outcome.put(error)

    def result(self) -> Made:
        outcome = self._outcome.get()
        if isinstance(outcome, BaseException):
            raise outcome
        return outcome


_orders: SimpleQueue[Callable[[], None]] = SimpleQueue()
# of the process, because a thread is: it is made in `prepare`, before there is anything to hand it to


def stay(settle: Callable[[], None]) -> None:
    """The thread begins, in the namespaces of the caller. It settles there first, such as by giving up its privileges.

    Raises what settling raises.
    """
    settled = _Order(settle)

    def work() -> None:
        settled.carry_out()
        while True:
            _orders.get()()

    threading.Thread(target=work, name="networked", daemon=True).start()
    settled.result()


def run(make: Callable[[], Made]) -> Made:
    """In that thread; blocks until it is done, and raises what it raises. Without `stay` nobody answers."""
    order = _Order(make)
    _orders.put(order.carry_out)
    return order.result()
