"""What an answer costs, from its token counts and the prices. Pure."""

from collections.abc import Iterable

from actors.messages.model import ModelFacts
from actors.providers.wire import Pass


def cost_usd(facts: ModelFacts, passes: Iterable[Pass]) -> float | None:
    """None: unknown."""
    del facts, passes
    return None
