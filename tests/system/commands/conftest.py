"""Servers that tests talk to, which see their client's end when the test is over."""

from collections.abc import Iterator

import pytest

from tests.system.commands.mcp_client import Client, Serving
from tests.system.harness import Place


@pytest.fixture
def serving(place: Place) -> Iterator[Serving]:
    clients: list[Client] = []

    def begin(model: str, *more: str) -> Client:
        clients.append(Client(place, "--model", model, *more))
        clients[-1].greet()
        return clients[-1]

    yield begin
    for client in clients:
        client.close()
