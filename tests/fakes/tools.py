"""A tool worker whose tools only remember that they ran; `hold` keeps a call under way until it is released."""

import trio

from actors.mailbox import Mailbox, Request
from actors.messages.conversation import ToolResult
from actors.messages.model import ToolSpec
from actors.messages.tool import DescribeTools, Preview, PreviewTool, RunTool, Tools

SCHEMA = '{"type": "object"}'
SPECS = (
    ToolSpec(name="look", description="Look.", parameters=SCHEMA, effect="read"),
    ToolSpec(name="change", description="Change.", parameters=SCHEMA, effect="write"),
    ToolSpec(name="bash", description="Run.", parameters=SCHEMA, effect="execute"),
)


class FakeTools:
    """In the place of a tools actor."""

    def __init__(self) -> None:
        self.ran: list[str] = []
        self.most_at_once = 0
        self.hold: trio.Event | None = None
        self.started = trio.Event()
        self._at_once = 0

    async def run(self, mailbox: Mailbox) -> None:
        async with trio.open_nursery() as nursery:
            async for request in mailbox:
                match request.message:
                    case DescribeTools():
                        request.reply(Tools(tools=SPECS, sandbox="fake"))
                    case PreviewTool(call=call):
                        request.reply(Preview(title=call.name))
                    case RunTool():
                        nursery.start_soon(request.serve, self._run)
                    case other:
                        raise AssertionError(other)

    async def _run(self, request: Request) -> None:
        assert isinstance(request.message, RunTool)
        call = request.message.call
        self.ran.append(call.call_id)
        self._at_once += 1
        self.most_at_once = max(self.most_at_once, self._at_once)
        self.started.set()
        try:
            await trio.testing.wait_all_tasks_blocked()
            if self.hold is not None:
                await self.hold.wait()
        finally:
            self._at_once -= 1
        request.reply(ToolResult(call_id=call.call_id, name=call.name, output=f"{call.call_id} done"))
