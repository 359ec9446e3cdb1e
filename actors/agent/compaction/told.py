"""What a compaction carries and how that came about, and what the user is told of it. Pure."""

from typing import NamedTuple

from actors.agent.compaction.proposal import Proposal
from actors.common.plurals import how_many
from actors.messages.conversation import NOTHING_USED, Carried, CompactionReason, Sealed, Usage

TOLD = "{why}: about {before:,} tokens became {after:,}. {how} The whole session stays: /tree"
WHY: dict[CompactionReason, str] = {
    "window": "the context window was nearly full",
    "overflow": "the conversation was too long for the model",
    "asked": "compacted",
}
SHORTENED = "Long outputs and attachments of before are shortened, nothing is left out."
SUMMED_UP = "Kept: the last {kept}, {said} of yours word for word{more}. Summed up{by}: {dropped} of before."
BY_MODEL, BY_NOBODY, BY_SERVICE = "", " without the model", " by its service"
SEALED = ", and by its service itself in a form that only it can read"


class Told(NamedTuple):
    """What is carried, and how its summary came about."""

    carried: Carried
    by: str = BY_MODEL
    usage: Usage = NOTHING_USED
    sealed: Sealed | None = None


def words(why: CompactionReason, proposed: Proposal, told: Told, sizes: tuple[int, int]) -> str:
    """For the user."""
    how, kept = SHORTENED, told.carried
    if proposed.dropped:
        also = [name for name, text in (("the plan", kept.plan), ("the list of steps", kept.todo)) if text]
        how = SUMMED_UP.format(
            kept=how_many(proposed.kept, "message"),
            said=how_many(len(kept.said), "message"),
            more="".join(f", {name}" for name in also),
            by=told.by,
            dropped=how_many(len(proposed.dropped), "message"),
        )
    return TOLD.format(why=WHY[why], before=sizes[0], after=sizes[1], how=how)
