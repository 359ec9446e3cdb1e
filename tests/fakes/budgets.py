"""What a test asks the store about a budget."""

from actors.mailbox import Mailbox
from actors.messages.budget import Budget, BudgetIs, Budgets, ReadBudgets


async def stands(me: Mailbox, session_id: str, **limits: float | None) -> BudgetIs:
    """How that of this session and all below it stands. limits: as of Budget."""
    budget = Budget(session_id=session_id, **limits)  # type: ignore[arg-type]
    return (await me.ask("store", ReadBudgets(budgets=(budget,)), Budgets)).budgets[0]
