"""What a compaction carries and how that came about, and what the user is told of it. Pure."""

from typing import NamedTuple

from actors.agent.compaction import cut
from actors.agent.compaction.carried import kept
from actors.agent.compaction.proposal import Proposal
from actors.common.plurals import how_many
from actors.messages.conversation import Carried, CompactionReason, Sealed
from actors.messages.usage import NOTHING_USED, Usage

TOLD = "{why}: about {before:,} tokens became {after:,}. {how} The whole session stays: /tree"
WHY: dict[CompactionReason, str] = {
    "window": "the context window was nearly full",
    "overflow": "the conversation was too long for the model",
    "asked": "compacted",
}
SHORTENED = "Long outputs and attachments of before are shortened, nothing is left out."
SUMMED_UP = "Kept: the last {kept}, {said} of yours word for word{more}.{gone} Summed up{by}: {dropped} of before."
CUT, GONE = ", {cut} of yours shortened", " Left out, for they no longer fit: {gone} of the oldest of yours."
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
    how = SHORTENED
    if proposed.dropped:
        yours = kept(told.carried.said)
        how = SUMMED_UP.format(
            kept=how_many(proposed.kept, "message"),
            said=how_many(yours.whole, "message"),
            more=(CUT.format(cut=how_many(yours.cut, "message")) if yours.cut else "") + _also(told.carried),
            gone=GONE.format(gone=how_many(yours.left_out, "message")) if yours.left_out else "",
            by=told.by,
            dropped=how_many(len(proposed.dropped), "message"),
        )
    return TOLD.format(why=WHY[why], before=sizes[0], after=sizes[1], how=how)


def _also(told: Carried) -> str:
    named = (("the plan", told.plan), ("the list of steps", told.todo))
    return "".join(f", {name}{' (shortened)' * cut.is_cut(text)}" for name, text in named if text)
