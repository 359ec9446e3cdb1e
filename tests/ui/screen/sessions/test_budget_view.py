"""/budget in words."""

import math

import pytest

from actors.messages.budget import Budget, BudgetIs
from ui.screen.sessions.budget_view import in_words


@pytest.mark.parametrize(
    ("now", "words"),
    [
        (BudgetIs(budget=Budget(), usd=0.25, tokens=1200), "this session: $0.25 spent · 1,200 tokens"),
        (BudgetIs(budget=Budget(), usd=None, tokens=0), "this session: cost unknown · 0 tokens"),
        (
            BudgetIs(budget=Budget(usd=5.0, what="this batch"), usd=1.5, tokens=10, sessions=3),
            "this batch: $1.50 spent of $5.00, $3.50 left · 10 tokens · 3 sessions",
        ),
        (
            BudgetIs(budget=Budget(usd=1.0, tokens=100), usd=1.5, tokens=30, requests=2, reserved_usd=0.5),
            "this session: $1.50 spent of $1.00, $0.00 left · 30 of 100 tokens, 70 left"
            " · 2 requests under way, at most $0.50",
        ),
        (
            BudgetIs(budget=Budget(), usd=0.0, tokens=0, requests=1, reserved_usd=math.inf),
            "this session: $0.00 spent · 0 tokens · 1 request under way",
        ),
        (BudgetIs(budget=Budget(what="the agent \x1b[31mx"), usd=0.0, tokens=0), "the agent"),
    ],
)
def test_how_a_budget_stands(now: BudgetIs, words: str) -> None:
    assert in_words(now).startswith(words)
    assert "\x1b" not in in_words(now)
