"""Model servers for the system tests: each in a thread of the test, for a process of its own takes longer than most."""

import ssl
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from typing import Protocol

import msgspec

from actors.providers.scripted import Script
from tests.fakes.in_thread import in_thread
from tests.fakes.model_server import open_model_server
from tests.system.harness import Event


class Serve(Protocol):
    """Start a server with this script; its address."""

    def __call__(self, script: Event, faults: Sequence[str] = (), tls: ssl.SSLContext | None = None) -> str: ...


@contextmanager
def serving() -> Iterator[Serve]:
    with ExitStack() as servers:

        def start(script: Event, faults: Sequence[str] = (), tls: ssl.SSLContext | None = None) -> str:
            opened = partial(open_model_server, msgspec.convert(script, Script), faults, tls)
            return servers.enter_context(in_thread(opened)).url

        yield start
