"""Whether and how hard the model thinks: what a request says of it. Pure.

Which model takes what: https://platform.claude.com/docs/en/build-with-claude/thinking.
"""

from actors.messages.model import AskModel
from actors.providers.endpoint import Target
from actors.providers.formats.anthropic_messages.body import Adaptive, Disabled, Enabled, OutputConfig, ThinkingConfig

LEAST_BUDGET = 1024
BUDGETS = {"minimal": LEAST_BUDGET, "low": 4_000, "medium": 10_000, "high": 16_000}
LARGEST_BUDGET = 32_000
"""For every effort above these; half of what the answer may have is the limit in any case."""
SHOWN = "summarized"
"""Else newer models leave their thinking out of the stream, and the progress between tool calls with it."""


def config(target: Target, ask: AskModel, max_tokens: int) -> ThinkingConfig | None:
    """None: the service's default."""
    match target.facts.thinking:
        case "always":
            return Adaptive(SHOWN)
        case "adaptive":
            return Disabled() if ask.effort == "off" else Adaptive(SHOWN)
        case "optional":
            return Adaptive(SHOWN) if _asked(ask) else None
        case "budget":
            budget = min(BUDGETS.get(ask.effort, LARGEST_BUDGET), max_tokens // 2)
            return Enabled(budget) if _asked(ask) and budget >= LEAST_BUDGET else None
        case "":
            return None


def is_off(target: Target, chosen: ThinkingConfig | None) -> bool:
    """Known to be: of models that nothing is known of, nobody can say."""
    return isinstance(chosen, Disabled) or (chosen is None and target.facts.thinking in ("optional", "budget"))


def effort(target: Target, ask: AskModel) -> OutputConfig | None:
    """Budgeted models may have no efforts: theirs becomes the budget alone."""
    facts = target.facts
    known = ask.effort in facts.efforts or not (facts.efforts or facts.id or facts.thinking)
    return OutputConfig(ask.effort) if _asked(ask) and known else None


def _asked(ask: AskModel) -> bool:
    return ask.effort not in ("", "off")
