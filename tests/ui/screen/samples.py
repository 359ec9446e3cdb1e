"""What the sessions of stored screens are made of."""

import json

from actors.messages.conversation import AssistantMessage, Body, Entry, Text, Thinking, ToolCall, UserMessage
from actors.messages.turn import EntryAdded, Event, SessionInfo
from actors.messages.usage import Usage
from tests.ui.screen.subagents.standing import BEGAN

DIFF = """--- a/src/cart/totals.py
+++ b/src/cart/totals.py
@@ -41,3 +41,5 @@ class Total:
     def add(self, line: Line) -> None:
-        self.sum += round(line.price * line.qty, 2)
+        self.sum += line.price * line.qty
+
+        self.sum = self.sum.quantize(CENT)
         self.count += 1
@@ -60,1 +62,1 @@
-old
+new
"""
FIX = """--- a/cart.py
+++ b/cart.py
@@ -4,3 +4,3 @@
 def total(prices: list[float], discount: float = 0.0) -> float:
     \"""What is to be paid; discount is a fraction of the sum.\"""
-    return sum(prices) * (1 + discount)
+    return sum(prices) * (1 - discount)
"""
EDIT = ToolCall(call_id="e", name="Edit", arguments='{"path": "src/cart/totals.py"}')
TESTS = ToolCall(call_id="b", name="Bash", arguments='{"command": "uv run pytest -q tests/cart"}')
PUSH = ToolCall(call_id="g", name="Bash", arguments='{"command": "git push --force-with-lease origin fix/rounding"}')
PATCH = """--- a/src/cart/totals.py
+++ b/src/cart/totals.py
@@ -41,1 +41,1 @@
-    total = 0.0
+    total = Decimal("0.00")  # every price is a Decimal by now, so that nothing is rounded before the end of the sum
--- /dev/null
+++ b/tests/cart/test_totals.py
@@ -0,0 +1,2 @@
+def test_a_cent_is_not_lost() -> None:
+    assert total([Decimal("0.1")] * 3) == Decimal("0.3")
"""
MORE = ToolCall(call_id="m", name="apply_patch", arguments=json.dumps({"input": PATCH}))
CLEAN = ToolCall(call_id="r", name="bash", arguments='{"command": "rm -r build"}')
PRESENT = ToolCall(call_id="p", name="present_plan", arguments="{}")
CHOOSE = ToolCall(call_id="q", name="ask_user", arguments="{}")
STEPS = [
    {"task": "find the rounding", "status": "completed"},
    {"task": "fix Total.add", "status": "in_progress"},
    {"task": "fix the discounts", "status": "pending"},
    {"task": "run the tests", "status": "pending"},
]
TODO = ToolCall(call_id="d", name="todo", arguments=json.dumps({"items": STEPS}))
PLAN_TEXT = """# Totals without rounding

The error comes from **two** places; both are fixed in `Total`.

1. Use `Decimal` in `Total.add`, quantised once at the end.
2. Apply the discount to the exact sum.

```python
self.sum = self.sum.quantize(CENT)
```

| file | change |
|---|---|
| src/cart/totals.py | Decimal |
| tests/cart/test_totals.py | two more tests |

## Risks

- Prices that come as floats from the import are rounded at the edge.
- The report of last year shows other cents than before.
"""
USAGE = Usage(input_tokens=18000, output_tokens=200, cost_usd=0.14)
FAILURE = "E   assert Decimal('10.01') == Decimal('10.00')\n1 failed, 41 passed in 2.9s"


def answered(text: str, *calls: ToolCall, thinks: str = "") -> AssistantMessage:
    blocks = (*([Thinking(text=thinks)] if thinks else []), Text(text=text), *calls)
    return AssistantMessage(blocks=blocks, stop_reason="end_turn", model="anthropic/sonnet", usage=USAGE)


def entries(*bodies: Body) -> list[Event]:
    return [
        EntryAdded(entry=Entry(id=f"e{at}", session_id="s", parent="", body=body, at=BEGAN))
        for at, body in enumerate(bodies)
    ]


LEFT = ".git/commondir appeared, and git would run what it says: renamed to NAME.taken-away-*."
ASKED = UserMessage(text="The totals are wrong by a cent; find out why.", turn_id="t", prompt_id="p")
INFO = SessionInfo(session_id="s", model="anthropic/sonnet", cwd="/w", mode="default", sandbox="bubblewrap", busy=False)
