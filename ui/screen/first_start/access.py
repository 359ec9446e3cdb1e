"""What a way to a model asks of the providers and the agent: a key kept, a sign-in, a model taken and written down."""

from dataclasses import dataclass
from pathlib import Path

import trio

from actors.errors import BadConfiguration, Failed
from actors.messages.auth import (
    Credentials,
    FindPrograms,
    KeyKept,
    ListCredentials,
    Program,
    Programs,
    SetKey,
    TakenOver,
    TakeOver,
)
from actors.messages.conversation import ToolCall
from actors.messages.model import ListModels, Models, ResolvedModel, ResolveModel, ServiceSaid, TryService
from actors.messages.tool import Choice, UserAsked
from actors.messages.turn import ModelIs, SetModel
from ui.common import harmless
from ui.screen.first_start.offers import Offer, of
from ui.screen.first_start.ports import Ports
from ui.screen.questions.browser_sign_in import BrowserSignIn
from ui.screen.questions.choice_list import choose

KEY, BACK = "key", "back"


@dataclass(frozen=True)
class Access:
    """Every method raises Failed."""

    ports: Ports
    home: Path

    async def credentials(self) -> Credentials:
        return await self.ports.mailbox.insist("providers", ListCredentials(), Credentials)

    async def offers(self) -> list[Offer]:
        """Servers are asked in a second."""
        insist = self.ports.mailbox.insist
        models = await insist("providers", ListModels(), Models)
        programs = await insist("providers", FindPrograms(), Programs)
        return of(await self.credentials(), models, programs)

    async def paste_key(self, provider: str) -> bool:
        """False: the user went back. A key that its service refuses may be pasted again."""
        while True:
            answer = await self.ports.ask(key_question(provider))
            if answer.choice != KEY:
                return False
            try:
                wanted = SetKey(provider=provider, key=answer.text)
                kept = await self.ports.mailbox.insist("providers", wanted, KeyKept)
            except Failed as failure:
                if failure.problem.code != "bad_request":
                    raise
                self.ports.say(str(failure), "warning")
                continue
            self.ports.say(f"the key for {provider} is in {harmless.one_line(kept.place)}", "info")
            if not await self._is_refused(provider):
                return True

    async def _is_refused(self, provider: str) -> bool:
        """By its service, and another one is to be pasted."""
        try:
            said = await self.ports.mailbox.insist("providers", TryService(model=provider), ServiceSaid)
        except Failed as failure:
            said = ServiceSaid(state="problem", text=failure.problem.text, hint=failure.problem.hint)
            if failure.problem.code == "unknown_model":
                return False  # it has listed several, so it knows the key
        if said.state != "problem":
            return False
        self.ports.say(harmless.one_line(f"{said.text} {said.hint}"), "warning")
        rows = [("paste it again", ""), ("go on with it", "it is kept")]
        return await choose(self.ports.ask, f"{provider} does not answer with this key", rows) == 0

    async def sign_in(self, provider: str) -> bool:
        """False: given up."""
        ports = self.ports
        browser = BrowserSignIn(ports.mailbox, ports.opener, ports.ask, ports.say, ports.show)
        done = await browser.follow("providers", provider)
        if done is not None:
            account = f" as {harmless.one_line(done.account)}" if done.account else ""
            ports.say(f"signed in to {provider}{account}", "info")
        return done is not None

    async def take_over(self, program: Program) -> str:
        """What another program keeps is kept here as well. Returns the first provider; "" for none."""
        taken = await self.ports.mailbox.insist("providers", TakeOver(program=program), TakenOver)
        for text in (taken.note, *(f"left out: {why}" for why in taken.left_out)):
            if text:
                self.ports.say(harmless.one_line(text), "warning")
        return next(iter(taken.providers), "")

    async def model_of(self, provider: str) -> str:
        """Which of its models answers: its usual one, the only one, or the one that the user chooses; "" for none."""
        try:
            usual = await self._resolved("")
        except Failed:
            usual = ""
        if usual.startswith(f"{provider}/"):
            return usual  # so it is in the next session, too
        try:
            return await self.take(await self._resolved(provider))
        except Failed as failure:
            if failure.problem.code != "unknown_model":
                raise
        listed = await self.ports.mailbox.insist("providers", ListModels(filter=f"{provider}/"), Models)
        usable = [one.model for one in listed.models if one.usable and one.model.startswith(f"{provider}/")]
        rows = [(harmless.one_line(model),) for model in usable]
        at = await choose(self.ports.ask, f"Which model of {provider}?", rows) if rows else None
        return "" if at is None else await self.take(usable[at])

    async def take(self, model: str) -> str:
        """It answers from now on, also in later sessions. Returns its whole name."""
        now = await self.ports.mailbox.insist(self.ports.agent, SetModel(model=model, effort=None), ModelIs)
        from actors.settings.saved_rules import set_key  # what it needs takes 30 ms

        try:
            await trio.to_thread.run_sync(set_key, self.home, "model", model)
        except BadConfiguration as error:
            self.ports.say(f"{model} answers until this session ends: {error}", "warning")
        return now.model

    async def _resolved(self, model: str) -> str:
        return (await self.ports.mailbox.insist("providers", ResolveModel(model=model), ResolvedModel)).model


def key_question(provider: str) -> UserAsked:
    return UserAsked(
        agent="agent:main",
        kind="question",
        title=f"The API key for {provider}",
        choices=(
            Choice(id=KEY, key="k", label="paste it, then Enter", takes_text=True, secret=True),
            Choice(id=BACK, key="n", label="back", refuses=True),
        ),
        default=KEY,
        escape=BACK,
        call=ToolCall(call_id=f"api key {provider}", name="", arguments="{}"),
    )
