"""Before the first question of an inquiry: the model it goes to, what it is going to take, and who agrees to that."""

from collections.abc import Sequence

import msgspec

from actors.errors import failed
from actors.mailbox import Mailbox
from actors.messages.model import ResolvedModel, ResolveModel
from actors.settings.config import Settings
from actors.texts.token_estimate import of_text
from ui.inquiry import consent
from ui.inquiry.estimate import estimate, in_words
from ui.inquiry.inquiry import Inquiry
from ui.inquiry.kept_run import Kept
from ui.inquiry.progress import Progress
from ui.inquiry.question import Asked, Terms

NOT_AGREED = "nothing was asked."


class Opening:
    def __init__(self, mailbox: Mailbox, settings: Settings, kept: Kept, progress: Progress, *, agreed: bool) -> None:
        """agreed: whatever it costs."""
        self._mailbox = mailbox
        self._settings = settings
        self._kept = kept
        self._progress = progress
        self._agreed = agreed

    async def resolved(self) -> ResolvedModel:
        """Raises Failed."""
        wanted = ResolveModel(model=self._settings.model, effort=self._settings.effort)
        return await self._mailbox.insist("providers", wanted, ResolvedModel)

    def inquiry(self, model: ResolvedModel, workers: int) -> Inquiry:
        """Budgets are for all questions together, and for all starts."""
        settings, run_id = self._settings, self._kept.run_id
        ours = {"session_id": run_id, "what": f"this {self._kept.command}", "again": "the same command and"}
        budgets = tuple(msgspec.structs.replace(budget, **ours) for budget in settings.budgets)
        terms = Terms(run_id=run_id, cwd=settings.cwd, model=model.model, effort=settings.effort, budgets=budgets)
        return Inquiry(self._mailbox, terms, workers)

    async def agree(
        self, model: ResolvedModel, inquiry: Inquiry, asked: Sequence[Asked], sizes: Sequence[int], about: str
    ) -> None:
        """sizes: tokens of each, without its system prompt. about: what is sent, such as "3 files". Raises Failed."""
        left = {one.id for one in await inquiry.unanswered(asked)}
        to_ask = [size + of_text(one.system) for size, one in zip(sizes, asked, strict=True) if one.id in left]
        found = estimate(model.facts, to_ask, len(asked) - len(left))
        self._progress.say(f"{about}: {in_words(found, 'chunk', model.model)}")
        if found.is_large and not self._agreed:
            if not consent.can_ask():
                raise failed("refused", f"that is much, and {NOT_AGREED}", consent.WITHOUT_TERMINAL)
            if not await consent.agreed(self._mailbox, self._settings, "Begin?"):
                raise failed("refused", NOT_AGREED)
        self._progress.opens(len(asked))
        if left:
            command = f"trouper {self._kept.command} --resume"
            self._progress.say(f"to go on with it after an end: the same command, or {command}")
