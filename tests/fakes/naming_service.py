"""A model service that is asked for names, too: it keeps those requests apart, and may be slow or refuse them."""

import threading

import msgspec
import trio

from actors.providers import scripted
from actors.providers.scripted import Script, ScriptedAnswer, ScriptedUsage
from tests.fakes import model_formats
from tests.fakes.model_faults import Reply, refusal
from tests.fakes.model_server import FORMATS, Got, ModelServer

NAMES = b"You name sessions"
"""In such a request."""


class NamingService(ModelServer):
    def __init__(self, script: Script, name: str, usage: ScriptedUsage) -> None:
        """name: what it answers then; usage: what it counts for that."""
        super().__init__(script)
        self._answer = ScriptedAnswer(text=name, usage=usage)
        self.asked_for_names: list[Got] = []
        self.was_asked = threading.Event()
        self.refuses = False
        self.let_go = threading.Event()
        """Names wait for it, unless it is set."""
        self.let_go.set()

    def answer_with(self, script: Script) -> None:
        """From now on, where no name is asked for."""
        self._script = script

    async def _reply(self, got: Got) -> Reply:
        if NAMES not in got.body:
            return await super()._reply(got)
        self.asked_for_names.append(got)
        self.was_asked.set()
        if self.refuses:
            return refusal(529, "Overloaded", "overloaded_error")
        await trio.to_thread.run_sync(self.let_go.wait, abandon_on_cancel=True)
        body = msgspec.json.decode(got.body, type=model_formats.Body)
        streamed, _ = FORMATS[got.path]
        at = scripted.Situation(answered=0, prompt="", result="", tools_offered=False)
        return Reply(tuple(streamed(self._answer, at, body.model)))
