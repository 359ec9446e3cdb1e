"""How much goes into one question to a model. Pure."""

from actors.messages.model import ModelFacts
from actors.texts.token_estimate import of_text

UNKNOWN_WINDOW = 32_000
"""Tokens of a model of which nothing is known."""
COUNTED_LOW = 1.5
"""Times as many tokens as are estimated code may have."""
ANSWER = 0.25
"""Of the window, for the answer."""
AROUND = 100
"""Tokens of what stands around that which is asked about."""


def most_tokens(facts: ModelFacts, system: str, most: int) -> int:
    """Of a question, as they are estimated, beside the system prompt. most: however large the window is."""
    window = facts.context or UNKNOWN_WINDOW
    room = min(window - min(facts.max_output or window, int(window * ANSWER)), facts.max_input or window)
    return min(most, int(room / COUNTED_LOW) - of_text(system) - AROUND)
