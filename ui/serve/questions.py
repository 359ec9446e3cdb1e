"""What the gate asks, as a form for the client's user, and what its answer means. Pure.

Only "yes" to this one call and "for this session" are offered: what is allowed for good is said at Trouper's screen.
"""

from typing import Any

from actors.messages.tool import NOBODY, Choice, UserAnswered, UserAsked
from ui.common.harmless import exposed

OFFERED = ("once", "session")
"""Beside those that refuse."""
LONGEST = 20_000
"""Characters of a question: nobody reads more in a form, and nothing is allowed that was not read."""
DECISION, COMMENT = "decision", "comment"


def can_be_put(asked: UserAsked) -> bool:
    return asked.kind == "approval" and len(message(asked)) <= LONGEST


def message(asked: UserAsked) -> str:
    """All of it, with nothing hidden in it."""
    parts = (f"Trouper asks: may it do this? {asked.title}", asked.detail, asked.risk, asked.warning)
    return "\n\n".join(exposed(part) for part in parts if part)


def form(asked: UserAsked) -> dict[str, Any]:
    """JSON Schema, as elicitation has it."""
    labels = [exposed(one.label) for one in _choices(asked)]
    decision = {"type": "string", "title": "Decision", "enum": labels, "default": labels[0]}
    comment = {"type": "string", "title": "Comment", "description": "With a no: what to do instead."}
    return {"type": "object", "properties": {DECISION: decision, COMMENT: comment}, "required": [DECISION]}


def _choices(asked: UserAsked) -> list[Choice]:
    """The plain refusal first, which many clients mark whatever the default is."""
    offered = [one for one in asked.choices if one.id in OFFERED or (one.refuses and not one.takes_text)]
    return sorted(offered, key=lambda one: not one.refuses)


def meant(asked: UserAsked, action: str, content: dict[str, Any] | None) -> UserAnswered:
    """action: accept, decline or cancel. What is no clear yes is a no; without a decision nobody was there."""
    if action == "cancel":
        return UserAnswered(choice=NOBODY)
    given = content or {}
    decision = given.get(DECISION) if action == "accept" else None
    chosen = next((one for one in _choices(asked) if exposed(one.label) == decision), None)
    if chosen is not None and not chosen.refuses:
        return UserAnswered(choice=chosen.id)
    comment = given.get(COMMENT)
    with_words = next((one.id for one in asked.choices if one.refuses and one.takes_text), asked.escape)
    if isinstance(comment, str) and comment.strip():
        return UserAnswered(choice=with_words, text=comment.strip())
    return UserAnswered(choice=asked.escape)
