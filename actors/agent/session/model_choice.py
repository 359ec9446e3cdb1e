"""Which model answers, and how hard it thinks: what was chosen in the session, on the command line, in the settings.

Read off the entries each time, so a restarted agent and a resumed session go on with the same one.
"""

from actors.agent.session.history import History
from actors.errors import Failed
from actors.mailbox import Mailbox
from actors.messages.conversation import Attachment, ModelChosen, ToolResult, UserMessage
from actors.messages.model import ModelFacts, ResolvedModel, ResolveModel
from actors.messages.turn import ModelIs, SetModel
from actors.settings.config import Settings


def choice(history: History, settings: Settings) -> ModelChosen:
    """The latest of this run; else the command line; else the session's latest that can be had; else the settings."""
    latest = history.chosen
    if latest is not None and latest.run_id == settings.run_id:
        return latest
    latest = history.lasting
    told = ModelChosen(model=settings.model, effort=settings.effort, run_id=settings.run_id)
    if latest is None or "model" in settings.chosen:
        return told
    effort = settings.effort if "effort" in settings.chosen else latest.effort
    return ModelChosen(model=latest.model, effort=effort, run_id=settings.run_id)


def to_record(history: History, settings: Settings) -> list[ModelChosen]:
    """What the command line says, when the session does not know it yet: the next run goes on with it."""
    if not settings.chosen:
        return []
    now, known = choice(history, settings), history.lasting
    same = known is not None and (known.model, known.effort) == (now.model, now.effort)
    return [] if same else [now]


async def switched(mailbox: Mailbox, wanted: SetModel, now: ModelChosen) -> tuple[ModelChosen, ModelFacts]:
    """What is wanted, when it can be had. Raises Failed."""
    model = wanted.model or now.model
    effort = now.effort if wanted.effort is None else wanted.effort
    try:
        found = await resolve(mailbox, model, effort)
    except Failed as failure:
        if failure.problem.code != "bad_request" or wanted.effort is not None or not effort:
            raise
        effort = ""  # it was chosen for another model
        found = await resolve(mailbox, model, effort)
    return ModelChosen(model=found.model, effort=effort, run_id=now.run_id), found.facts


async def resolve(mailbox: Mailbox, model: str, effort: str = "") -> ResolvedModel:
    """Raises Failed."""
    return await mailbox.insist("providers", ResolveModel(model=model, effort=effort), ResolvedModel)


def model_is(chosen: ModelChosen, facts: ModelFacts, history: History) -> ModelIs:
    attached = [
        one
        for message in history.model_input()
        if isinstance(message, UserMessage | ToolResult)
        for one in message.attachments
    ]
    return ModelIs(model=chosen.model, effort=chosen.effort, left_out=not_taken(facts, attached))


def not_taken(facts: ModelFacts, attachments: list[Attachment] | tuple[Attachment, ...]) -> tuple[str, ...]:
    """Their names."""
    return tuple(dict.fromkeys(one.name for one in attachments if not facts.takes(one.media_type)))
