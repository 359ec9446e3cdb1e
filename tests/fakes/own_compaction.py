"""A model service with a window that sums conversations up by itself, as OpenAI and Anthropic do.

It takes nothing before what it has made of a conversation, and knows it by its bytes. What only one of its models can
read says so: it refuses it from another.
"""

import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import msgspec
import trio

from tests.fakes import overflows
from tests.fakes.model_faults import JSON, Reply, refusal
from tests.fakes.model_server import Got
from tests.fakes.small_window import BYTES, SmallWindow

COMPACT, MESSAGES, RESPONSES = "/v1/responses/compact", "/v1/messages", "/v1/responses"
BETA = "compact-2026-09-04"
READABLE = "## Goal and constraints\nThe service itself has written this, number {number}."
USED = {"input_tokens": 9000, "output_tokens": 300}
Item = dict[str, Any]


class OwnCompaction(SmallWindow):
    def __init__(self, window: int) -> None:
        super().__init__(window)
        self.limit = window
        self.compactions: list[Got] = []
        self.made: list[Item] = []
        self.by: list[str] = []
        """The model that each was made by."""
        self.forgets = 0
        """So many of those that it made first it cannot read any more."""
        self.missing = False
        """Nothing answers where it is asked to sum up."""
        self.forgotten = 0
        """Requests with what it cannot read any more."""
        self.go_on = threading.Event()
        """Until then a summary is not ready."""
        self.go_on.set()

    async def _reply(self, got: Got) -> Reply:
        body: Item = msgspec.json.decode(got.body) if got.method == "POST" else {}
        if got.path == COMPACT or "compaction" in body:
            return await self._sum_up(got, body)
        if got.path == RESPONSES and (refused := self._refused(body)):
            return refused
        return await super()._reply(got)

    async def _sum_up(self, got: Got, body: Item) -> Reply:
        self.compactions.append(got)
        await trio.to_thread.run_sync(self.go_on.wait, abandon_on_cancel=True)
        if self.missing:
            unknown = "Unrecognized request argument supplied: compaction"
            return refusal(404, "not found") if got.path == COMPACT else refusal(400, unknown, "invalid_request_error")
        tokens = round(len(got.body) / BYTES)
        if tokens > self.limit:
            return overflows.ALL[got.path.removesuffix("/compact")][0](tokens, self.limit)
        return self._sealed(body) if got.path == COMPACT else self._readable(got, body)

    def _sealed(self, body: Item) -> Reply:
        if refused := self._refused(body):
            return refused
        number = len(self.made)
        item = {"id": f"cmp_{number}", "type": "compaction", "encrypted_content": f"sealed-{number}-" + "x" * 400}
        self.made.append(item)
        self.by.append(body["model"])
        said = [one for one in body["input"] if one["type"] == "message" and one["role"] == "user"]
        whole = {"id": "resp_1", "object": "response.compaction", "output": [*said, item], "usage": USED}
        return Reply((msgspec.json.encode(whole),), headers=JSON)

    def _refused(self, body: Item) -> Reply | None:
        """Nothing is before what it made, and that is as it was made, by the same model."""
        places = [at for at, item in enumerate(body["input"]) if item["type"] == "compaction"]
        if not places:
            return None
        sealed = body["input"][places[0]]["encrypted_content"]
        known = [n for n, item in enumerate(self.made) if item["encrypted_content"] == sealed]
        forgotten = bool(known) and known[0] < self.forgets
        self.forgotten += forgotten
        if forgotten or places != [0] or not known or self.by[known[0]] != body["model"]:
            why = "The encrypted content could not be verified."
            return refusal(400, why, "invalid_request_error", code="invalid_encrypted_content")
        return None

    def _readable(self, got: Got, body: Item) -> Reply:
        if BETA not in got.headers.get("anthropic-beta", "") or "stop_sequences" in body:
            return refusal(400, "compaction: Extra inputs are not permitted", "invalid_request_error")
        assert body["compaction"]["type"] == "summarize"
        block = {"type": "compaction", "content": READABLE.format(number=len(self.made)), "signature": "EuYB"}
        self.made.append(block)
        start = {"id": "msg_1", "type": "message", "role": "assistant", "model": body["model"], "content": []}
        nothing = {"input_tokens": 0, "output_tokens": 0}
        events: list[Item] = [
            {"type": "message_start", "message": {**start, "usage": nothing}},
            {"type": "content_block_start", "index": 0, "content_block": block},
            {"type": "content_block_stop", "index": 0},
            {
                "type": "message_delta",
                "delta": {"stop_reason": "compaction"},
                "usage": {**nothing, "iterations": [{"type": "compaction", **USED}]},
            },
            {"type": "message_stop"},
        ]
        return Reply(tuple(f"data: {msgspec.json.encode(event).decode()}\n\n".encode() for event in events))


@asynccontextmanager
async def open_own_compaction(window: int) -> AsyncIterator[OwnCompaction]:
    server = OwnCompaction(window)
    async with trio.open_nursery() as nursery:
        await nursery.start(server.serve)
        yield server
        nursery.cancel_scope.cancel()
