"""The model's window and the shares of it: when it is too full, what may be kept. Pure; see DECISIONS: Compaction."""

import msgspec

from actors.messages.model import ModelFacts

FULL, WARNED = 0.8, 0.65
KEPT = 0.25
"""Of the window: the end of the conversation that stays as it is, where the rest is summed up."""
WHOLE = 0.15
"""The end of that which is not even shortened."""
ENOUGH = 0.55
"""Where shortening alone leads below this, nothing is summed up."""
WORTH = 0.05
"""What saves less is not done by itself: it would be done again and again."""
SAID, SAID_IN_ALL = 0.15, 0.3
"""What the user said word for word: long messages are cut above the first; above the second the oldest are left out."""
PLAN = TODO = SUMMARY = 0.1


class Window(msgspec.Struct, frozen=True):
    tokens: int
    """0: not known."""
    most: int
    """Tokens of a request that leaves room for the answer."""

    @property
    def full(self) -> int:
        return min(int(self.tokens * FULL), self.most)

    def share(self, part: float) -> int:
        return int(self.tokens * part)


def of_model(facts: ModelFacts, learned: int) -> Window:
    """learned: what the service has refused to take, where nothing else is known; 0: nothing yet."""
    tokens = facts.max_input or facts.context or learned
    answer = min(facts.max_output, facts.context // 4) if facts.context and not facts.max_input else 0
    return Window(tokens, tokens - answer if tokens > answer else tokens)


def halved(window: Window) -> Window:
    """For what is still too large."""
    return Window(window.tokens // 2, window.most // 2)
