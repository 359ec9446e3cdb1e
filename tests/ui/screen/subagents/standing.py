"""Subagents as the stored screens have them: how some stand, and what became of others."""

from msgspec.structs import replace

from actors.messages.subagent import (
    SubagentEnded,
    SubagentEntry,
    SubagentIs,
    SubagentMerged,
    SubagentPrompted,
    SubagentSpawned,
)
from actors.messages.usage import NOTHING_USED, Usage

BEGAN = 1_700_000_000.0
SCOUT = SubagentIs(
    name="scout",
    kind="explore",
    session_id="s.1",
    agent="agent:sub:s-1",
    state="running",
    doing='grep "quantize" src/',
    used=Usage(input_tokens=9000, output_tokens=100, cost_usd=0.02),
    started_at=BEGAN - 7,
    last_event_at=BEGAN + 13,
)
TESTER = replace(
    SCOUT,
    name="test-runner",
    kind="validate",
    doing="bash pytest -q tests/cart",
    background=True,
    last_event_at=BEGAN - 40,
)
WAITING = replace(SCOUT, name="reviewer", kind="review", state="blocked", doing="", used=NOTHING_USED, started_at=0.0)
SPAWNED = SubagentSpawned(
    name="scout",
    session_id="s.1",
    call_id="c",
    kind="explore",
    prompt="Find every place that rounds.\nAll of them.",
)
BECAME: tuple[SubagentEntry, ...] = (
    SPAWNED,
    replace(SPAWNED, name="porter", kind="general", prompt="Port it.", background=True, worktree=True),
    replace(SPAWNED, name="critic", kind="review", prompt="Is it right?", depends_on=("porter",)),
    SubagentPrompted(name="scout", prompt_id="p2", text="only in src, please"),
    SubagentEnded(
        name="porter",
        state="completed",
        summary="# Ported\n\nBoth totals are exact.",
        used=Usage(input_tokens=6000, output_tokens=10, cost_usd=0.01),
        patch_files=("src/cart/totals.py", "tests/cart/test_totals.py"),
    ),
    SubagentEnded(name="critic", state="failed", summary="the service refused the key."),
    SubagentEnded(name="unheard-of", state="cancelled", summary="interrupted"),
    SubagentMerged(name="porter", files=("src/cart/totals.py", "tests/cart/test_totals.py")),
)
