"""The front of a server: from its first line of stdin to the last task's end, and how it leaves."""

from functools import partial

import msgspec
import trio

from actors.errors import Failed
from actors.mailbox import Mailbox, Request
from actors.messages.base import Done
from actors.messages.store import Recall, Recalled, Remember
from actors.messages.system import ActorGivenUp, Exit, Signalled
from actors.messages.tool import NOBODY, UserAnswered, UserAsked
from actors.messages.turn import Notice
from actors.settings.config import Settings
from ui.common.exit_codes import DONE, FAILED, INTERRUPTED
from ui.headless.one_answer import complain
from ui.serve import stdio
from ui.serve.protocol import Protocol
from ui.serve.tasks import Tasks
from ui.serve.terms import ServeFront

LOST = "the part that spoke to the client died, and its half of the conversation with it; connect again."


async def run(mailbox: Mailbox, settings: Settings) -> None:
    front = Front(mailbox, settings)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(front.drive)
        async for request in mailbox:
            match request.message:
                case Signalled():
                    front.leave()
                case UserAsked() as asked:
                    nursery.start_soon(request.serve, partial(front.ask, asked))
                case Notice(text=text) | ActorGivenUp(why=text):
                    complain(text)
                case _:
                    continue
        nursery.cancel_scope.cancel()


class Front:
    def __init__(self, mailbox: Mailbox, settings: Settings) -> None:
        self._mailbox = mailbox
        self._settings = settings
        self._serving = trio.CancelScope()
        self._tasks: Tasks | None = None

    def leave(self) -> None:
        self._serving.cancel()

    async def drive(self) -> None:
        """From the first line to Exit: with the client's end of stdin, or when we are told to."""
        code = DONE
        try:
            if await self._is_first_life():
                await self._serve()
                code = INTERRUPTED if self._serving.cancelled_caught else DONE
            else:
                complain(LOST)
                code = FAILED
        except Failed as failure:
            complain(str(failure))
            code = FAILED
        self._mailbox.tell("supervisor", Exit(code=code))

    async def _is_first_life(self) -> bool:
        """What a client has said to an earlier one, and half a line that it had read, nobody knows. Raises Failed."""
        key = f"serve/{self._settings.run_id}"
        if (await self._mailbox.insist("store", Recall(key=key), Recalled)).value is not None:
            return False
        await self._mailbox.insist("store", Remember(key=key, value=""), Done)
        return True

    async def _serve(self) -> None:
        words = msgspec.msgpack.decode(self._settings.front, type=ServeFront)
        with self._serving:
            async with trio.open_nursery() as nursery:
                self._tasks = Tasks(self._mailbox, self._settings, nursery)
                protocol = Protocol(self._mailbox, self._settings, self._tasks, all_folders=words.all_folders)
                server = protocol.server()
                async with stdio.streams() as (read, write):
                    await server.run(read, write, server.create_initialization_options())
                nursery.cancel_scope.cancel()

    async def ask(self, asked: UserAsked, request: Request) -> None:
        if self._tasks is None:
            request.reply(UserAnswered(choice=NOBODY))
        else:
            await self._tasks.ask(asked, request)
