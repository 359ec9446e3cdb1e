"""The mailbox over the real router, in one process."""

import pytest
import trio

from actors.errors import ActorDied, Failed
from actors.mailbox import CREDITS, Mailbox, Request
from actors.messages.base import Done, Problem
from actors.messages.model import TextDelta
from actors.messages.turn import CancelTurn
from tests.fakes.network import open_network

QUESTION = CancelTurn()


async def echo(mailbox: Mailbox) -> None:
    async for request in mailbox:
        request.reply(Done())


async def never(mailbox: Mailbox) -> None:
    async def wait(_request: Request) -> None:
        await trio.sleep_forever()

    async with trio.open_nursery() as nursery:
        async for request in mailbox:
            nursery.start_soon(request.serve, wait)


async def test_an_ask_is_answered() -> None:
    async with open_network() as network:
        network.start("echo", echo)
        me = network.mailbox("me")

        assert await me.ask("echo", QUESTION, Done) == Done()


async def test_asking_an_unknown_actor_fails_at_once() -> None:
    async with open_network() as network:
        me = network.mailbox("me")

        with pytest.raises(Failed) as failure:
            await me.ask("nobody", QUESTION, Done)

        assert failure.value.problem.code == "gone"


async def test_a_problem_is_raised_where_it_was_asked() -> None:
    problem = Problem(code="disk_full", text="full", hint="make room")

    async def full(mailbox: Mailbox) -> None:
        async for request in mailbox:
            request.fail(problem)

    async with open_network() as network:
        network.start("store", full)
        me = network.mailbox("me")

        with pytest.raises(Failed) as failure:
            await me.ask("store", QUESTION, Done)

        assert failure.value.problem == problem


async def test_the_death_of_the_server_is_raised() -> None:
    async with open_network() as network:
        network.start("never", never)
        me = network.mailbox("me")

        async with trio.open_nursery() as nursery:

            async def ask() -> None:
                with pytest.raises(ActorDied):
                    await me.ask("never", QUESTION, Done)

            nursery.start_soon(ask)
            await trio.testing.wait_all_tasks_blocked()
            network.kill("never")


async def test_insisting_lives_through_a_death() -> None:
    async with open_network() as network:
        network.start("store", never)
        me = network.mailbox("me")
        answers = []

        async def insist() -> None:
            answers.append(await me.insist("store", QUESTION, Done))

        async with trio.open_nursery() as nursery:
            nursery.start_soon(insist)
            await trio.testing.wait_all_tasks_blocked()
            network.kill("store")
            network.start("store", echo)

        assert answers == [Done()]


async def test_a_stream_is_never_more_than_its_credits_ahead() -> None:
    sent = []

    async def talk(request: Request) -> None:
        for number in range(CREDITS * 3):
            await request.send(TextDelta(text=str(number)))
            sent.append(number)
        request.reply(Done())

    async def talker(mailbox: Mailbox) -> None:
        async for request in mailbox:
            await request.serve(talk)

    async with open_network() as network:
        network.start("talker", talker)
        me = network.mailbox("me")

        async with me.stream("talker", QUESTION) as stream:
            await trio.testing.wait_all_tasks_blocked()
            ahead = len(sent)
            texts = [item.text async for item in stream if isinstance(item, TextDelta)]

        assert ahead == CREDITS
        assert texts == [str(number) for number in range(CREDITS * 3)]


async def test_leaving_a_stream_cancels_its_handler_and_waits_for_it() -> None:
    record = []

    async def handler(_request: Request) -> None:
        try:
            await trio.sleep_forever()
        finally:
            record.append("handler left")

    async def server(mailbox: Mailbox) -> None:
        async for request in mailbox:
            await request.serve(handler)

    async with open_network() as network:
        network.start("server", server)
        me = network.mailbox("me")

        async with me.stream("server", QUESTION):
            await trio.testing.wait_all_tasks_blocked()
        record.append("stream left")

    assert record == ["handler left", "stream left"]


async def test_a_cancel_right_behind_its_request_is_not_lost() -> None:
    async with open_network() as network:
        network.start("never", never)
        me = network.mailbox("me")

        with trio.move_on_after(0) as scope:
            await me.ask("never", QUESTION, Done)

        assert scope.cancelled_caught


async def test_a_forwarded_request_is_answered_and_cancelled_by_the_new_server() -> None:
    async def gate(mailbox: Mailbox) -> None:
        async for request in mailbox:
            request.forward("tools:main")

    async def work(request: Request) -> None:
        await request.send(TextDelta(text="working"))
        await trio.sleep_forever()

    async def worker(mailbox: Mailbox) -> None:
        async for request in mailbox:
            await request.serve(work)
            left.append(request.sender)

    left: list[str] = []
    async with open_network() as network:
        network.start("gate", gate)
        network.start("tools:main", worker)
        me = network.mailbox("me")

        async with me.stream("gate", QUESTION) as stream:
            first = await anext(stream)

    assert first == TextDelta(text="working")
    assert left == ["me"]


async def test_who_is_cut_off_sends_no_further_request() -> None:
    async with open_network() as network:
        network.start("echo", echo)
        me = network.mailbox("me")
        await me.ask("echo", QUESTION, Done)
        before = len(network.carried)
        network.cut_off("me")
        async for _ in me:
            pass

        with pytest.raises(Failed) as failure:
            await me.ask("echo", QUESTION, Done)

        assert failure.value.problem.code == "gone"
        assert len(network.carried) == before
