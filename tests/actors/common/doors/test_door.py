"""The door of an agent over a real socket: whoever comes is told, whoever asks is answered, and nobody holds it up."""

import os
import socket
import subprocess
from pathlib import Path

import msgspec
import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from actors.agent.subagents.orders import BRIEF
from actors.common.doors import visitor
from actors.common.doors.door import MOST_VISITORS
from actors.common.doors.lines import CannotAsk, Gone, Silent
from actors.common.doors.visitor import Program, Refused
from actors.common.doors.words import LONGEST, Ordered, Told, Wanted, Working, path_of
from actors.messages.mcp import RestartServers, ServersRestarted
from actors.messages.subagent import CancelSubagent, SteerSubagent, SubagentIs
from tests.fakes.door import PORTER, SCOUT, SERVERS, Room, open_door

REAL_S = 0.01
"""Real bytes take real time."""
CANCEL = Ordered(session_id="s1", order=CancelSubagent(name="scout"))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    (tmp_path / "run").mkdir()
    return path_of(str(tmp_path), "r1")


def pid_of_the_dead() -> int:
    with subprocess.Popen("true") as ended:
        return ended.pid


def there(path: Path, pid: int = 0) -> Program:
    return Program(path, Told(session_id="s1", pid=pid or os.getpid()), ())


async def test_whoever_comes_sees_who_is_there_and_how_all_stand(path: Path) -> None:
    async with open_door(path, room := Room()):
        assert await visitor.look(path) == room.told
        assert await visitor.program(path) == Program(path, room.told, (SCOUT, PORTER))
        assert (await visitor.program(path, "s1.2")).agents == (PORTER,)

    assert not path.exists()


async def test_an_order_is_answered_by_how_the_agent_stands_then(path: Path) -> None:
    steer = Ordered(session_id="s1", order=SteerSubagent(name="scout", prompt_id="p", text="only in src"))
    async with open_door(path, room := Room()):
        assert await visitor.order(there(path), steer) == SCOUT
        assert (await visitor.order(there(path), CANCEL)).state == "cancelled"

    assert room.done == ["only in src", "cancel"]


async def test_why_it_is_not_done_is_told_with_the_next_step(path: Path) -> None:
    nobody = Ordered(session_id="s1", order=CancelSubagent(name="nobody"))
    async with open_door(path, Room()):
        with pytest.raises(Refused, match=r"there is no such agent\. There are: scout\."):
            await visitor.order(there(path), nobody)


@pytest.mark.parametrize(
    "said",
    [
        b"{}\n",
        b"\n",
        b"null\n",
        b"\xff\xfe\x00\n",
        b"[" * 100_000 + b"\n",
        b'{"type":"MergeSubagent","name":"scout"}\n',
        b'{"type":"Ordered","session_id":"s1"}\n',
        b'{"type":"Ordered","session_id":"s1","order":{"type":"Prompt","prompt_id":"p","text":"x"}}\n',
        b'{"type":"Ordered","session_id":"s1","order":{"type":"CancelSubagent","name":7}}\n',
        b'{"type":"Ordered","session_id":"s1","order":{"type":"CancelSubagent","name":"scout"}}',
    ],
    ids=range(10),
)
async def test_what_is_no_word_does_nothing_and_harms_nobody(path: Path, said: bytes) -> None:
    async with open_door(path, room := Room()):
        async with await trio.open_unix_socket(path) as stream:
            await stream.send_all(said)
            await stream.send_eof()
            heard = b"".join([piece async for piece in stream])
        assert await visitor.look(path) == room.told

    assert (heard.count(b"\n"), room.done) == (1, [])


async def test_who_says_too_much_is_heard_no_longer(path: Path) -> None:
    async with open_door(path, room := Room()):
        async with await trio.open_unix_socket(path) as stream:
            with pytest.raises(trio.BrokenResourceError):
                await stream.send_all(b"x" * 100 * LONGEST)
        assert await visitor.look(path) == room.told


async def test_a_text_for_which_there_is_no_room_is_not_sent(path: Path) -> None:
    text = "x" * LONGEST
    async with open_door(path, room := Room()):
        with pytest.raises(Refused, match="the text is too long: there is room for 256 KB"):
            await visitor.order(
                there(path), Ordered(session_id="s1", order=SteerSubagent(name="scout", prompt_id="p", text=text))
            )

    assert room.done == []


async def test_who_never_speaks_is_left_alone_and_holds_nobody_up(path: Path, autojump_clock: MockClock) -> None:
    autojump_clock.autojump_threshold = REAL_S
    async with open_door(path, room := Room()), await trio.open_unix_socket(path) as stream:
        assert await visitor.look(path) == room.told
        heard = b"".join([piece async for piece in stream])

    assert heard.count(b"\n") == 1


async def test_when_there_are_too_many_the_door_is_shut_until_some_have_gone(
    path: Path, autojump_clock: MockClock
) -> None:
    autojump_clock.autojump_threshold = REAL_S
    async with open_door(path, room := Room()):
        crowd = [await trio.open_unix_socket(path) for _ in range(MOST_VISITORS)]
        for stream in crowd:
            await stream.receive_some()
        assert await visitor.look(path) is None
        answered = await visitor.order(there(path), CANCEL)  # it knocks again
        for stream in crowd:
            await stream.aclose()

    assert (answered.state, room.done) == ("cancelled", ["cancel"])


async def test_what_was_asked_is_done_although_who_asked_has_died(path: Path) -> None:
    async with open_door(path, room := Room()):
        room.may = trio.Event()
        stream = await trio.open_unix_socket(path)
        await stream.send_all(msgspec.json.encode(CANCEL) + b"\n")
        await room.asked.wait()
        await stream.aclose()
        room.may.set()
        while not room.done:
            await trio.lowlevel.checkpoint()
        assert await visitor.look(path) == room.told

    assert room.done == ["cancel"]


async def test_a_program_that_ends_with_its_agent_has_said_before_that_it_was_cancelled(path: Path) -> None:
    answers: list[SubagentIs] = []

    async def ask() -> None:
        answers.append(await visitor.order(there(path), CANCEL))

    room = Room()
    room.may = trio.Event()
    async with trio.open_nursery() as nursery, open_door(path, room):
        nursery.start_soon(ask)
        await room.asked.wait()
        room.ended.set()
        await wait_all_tasks_blocked()

    assert ([one.state for one in answers], room.done) == (["cancelled"], [])


async def test_an_agent_that_dies_in_the_middle_is_asked_again_in_its_next_life(path: Path) -> None:
    answers: list[SubagentIs] = []

    async def ask() -> None:
        answers.append(await visitor.order(there(path), CANCEL))

    first, second = Room(), Room()
    first.may = trio.Event()
    async with trio.open_nursery() as nursery:
        async with open_door(path, first):
            nursery.start_soon(ask)
            await first.asked.wait()
        async with open_door(path, second):
            await second.asked.wait()
            while not answers:
                await trio.lowlevel.checkpoint()

    assert ([one.state for one in answers], first.done, second.done) == (["cancelled"], [], ["cancel"])


async def test_where_the_program_has_died_nobody_is_waited_for(path: Path) -> None:
    with pytest.raises(Gone, match="its program has ended"):
        await visitor.order(there(path, pid_of_the_dead()), CANCEL)


async def test_a_door_behind_which_nobody_answers_is_told_from_one_that_a_killed_program_left(
    path: Path, autojump_clock: MockClock
) -> None:
    autojump_clock.autojump_threshold = REAL_S
    left = socket.socket(socket.AF_UNIX)
    left.bind(str(path))
    left.close()
    stopped = path.with_name("r2.door")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(stopped))
        listener.listen()
        found = await visitor.programs(str(path.parent.parent), lambda _: False)
        restarting = await visitor.programs(str(path.parent.parent), lambda _: True)
        with pytest.raises(Silent, match="it does not answer; it may be stopped"):
            await visitor.order(there(stopped), CANCEL)

    assert found == ([], [stopped])
    assert restarting == ([], [path, stopped])


async def test_who_is_let_go_of_twice_asked_for_gets_it(path: Path) -> None:
    async with open_door(path, room := Room()):
        await visitor.ask_for(path, Wanted(session_id="s1", who="a test"))
        await visitor.ask_for(path, Wanted(session_id="s9", who="a test"))

    assert room.done == ["let go of s1"]


async def test_another_version_is_named_as_such(path: Path) -> None:
    async def answer(stream: trio.SocketStream) -> None:
        await stream.send_all(b'{"session_id": 7}\n')
        await stream.aclose()

    async with trio.open_nursery() as nursery:
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(str(path))
        listener.listen()
        served = trio.SocketListener(trio.socket.from_stdlib_socket(listener))
        nursery.start_soon(trio.serve_listeners, answer, [served])
        with pytest.raises(CannotAsk, match="it is of another version"):
            await visitor.program(path)
        nursery.cancel_scope.cancel()


def test_each_agent_of_a_program_has_a_door_of_its_own() -> None:
    assert path_of("/h", "r1") == Path("/h/run/r1.door")
    assert path_of("/h", "r1", "agent:3fa9") == Path("/h/run/r1.3fa9.door")


def test_what_is_told_of_the_most_agents_there_can_be_is_heard() -> None:
    many = Working(agents=tuple(msgspec.structs.replace(SCOUT, summary="\x00" * BRIEF) for _ in range(200)))

    assert len(msgspec.json.encode(many)) < visitor.LONGEST


async def test_servers_are_restarted_and_why_not_is_told(path: Path) -> None:
    async with open_door(path, Room()):
        every = await visitor.restart_servers(path, RestartServers())
        some = await visitor.restart_servers(path, RestartServers(servers=("box", "other")))
        with pytest.raises(Refused, match="the gate is gone"):
            await visitor.restart_servers(path, RestartServers(servers=("lost",)))

    assert every == ServersRestarted(restarted=SERVERS)
    assert some == ServersRestarted(restarted=("box",), missing=("other",))
    with pytest.raises(Gone):
        await visitor.restart_servers(path, RestartServers())
