"""The network of the fast tests keeps to the tree of the real program: who may not send is refused here as well."""

import pytest

from actors.errors import Failed
from actors.mailbox import Mailbox
from actors.messages.base import Done
from actors.messages.system import DescribeTree
from supervisor import child_spec
from tests.fakes.network import TREE, Network, open_network

NAMES = ("store", "providers", "gate", "agent:main", "agent:t1", "tools:main", "tools:t1", "web", "ui")


async def answer(mailbox: Mailbox) -> None:
    async for request in mailbox:
        request.reply(Done())


async def said(network: Network, sender: str, to: str) -> str:
    try:
        await network.mailbox(sender).ask(to, DescribeTree(), Done)
    except Failed as failure:
        return failure.problem.code
    return "answered"


@pytest.mark.parametrize("sender", NAMES)
async def test_each_actor_reaches_whom_the_tree_lets_it_reach(sender: str) -> None:
    reached = {}
    for to in NAMES:
        async with open_network() as network:
            network.start(to, answer)
            reached[to] = await said(network, sender, to) if to != sender else "answered"

    allowed = {to: child_spec.may_send(TREE, sender, to) or to == sender for to in NAMES}
    assert reached == {to: "answered" if may else "not_allowed" for to, may in allowed.items()}


async def test_a_player_of_a_tests_own_reaches_everybody() -> None:
    async with open_network() as network:
        network.start("gate", answer)

        assert await said(network, "somebody", "gate") == "answered"
