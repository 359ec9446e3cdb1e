"""A run whose tasks ended in every way there is, with texts of models and tools that nobody may trust."""

import msgspec

from actors.messages.batch import RunOpened, RunRow, TaskRow
from actors.messages.usage import Usage
from ui.batch.reports.outcomes import Line, Outcomes, outcomes
from ui.batch.results import Check

AT = 1_800_000_000.0
SECRET = "ghp_" + "a1B2c3D4" * 5
NASTY = "</code><script>alert(1)</script> ]]> | `x` \x1b]0;title\x07 \x00 \ufffe é"
PATCH = "diff --git a/a.py b/a.py\n--- a/a.py\n+++ b/a.py\n@@ -1,2 +1,2 @@\n-old\n+new\n+--- more\n same\n"
USED = Usage(input_tokens=1200, output_tokens=34, cost_usd=0.0125)
DONE = Line(
    id="done", reason="done", answer="All good.", model="x/m", turns=3, tool_calls=2, usage=USED, ms=1500, patch=PATCH,
    session="r1.k1", base="c0ffee", tags=("fast", "a|b"), check=Check(command="make test", exit_code=0, output="ok\n"),
)  # fmt: skip
BY_ID = {
    "done": DONE,
    "check": Line(
        id="check", reason="failed", error="", answer=NASTY, model="x/m", turns=1, usage=USED, ms=61_000,
        check=Check(command=f"make {NASTY}", exit_code=2, output=f"2 failed\n{NASTY}\ntoken={SECRET}\n"),
    ),
    "broken": Line(id="broken", reason="failed", error=f"HTTP 500 {NASTY} {SECRET}", failed_tries=4, waited_s=2.5),
    "refused": Line(id="refused", reason="refused", error="Bash(git push)", turns=2, refused=("Bash(git push)",)),
    "late": Line(id="late", reason="timeout", error="10 s are over", turns=2, usage=USED, ms=10_000),
    "poor": Line(id="poor", reason="budget", error="this batch has cost $2.00", usage=Usage(cost_usd=0.0)),
}  # fmt: skip
ATTEMPTS = {"check": 3}


def row(number: int, task_id: str, result: Line | None) -> TaskRow:
    key = f"k{number}"
    if result is None:
        return TaskRow(key=key, id=task_id)
    return TaskRow(
        key=key,
        id=task_id,
        state="done" if result.reason == "done" else "failed",
        attempts=ATTEMPTS.get(task_id, 1),
        session_id=f"r1.{key}",
        base=result.base,
        result=msgspec.json.encode(result).decode(),
    )


def opened(results: dict[str, Line | None]) -> RunOpened:
    run = RunRow(
        run_id="r1", tasks="/w/tasks.jsonl", out="/w/out.jsonl", cwd="/w", workers=2, state="paused", began_at=AT - 90
    )
    return RunOpened(run=run, tasks=tuple(row(at, *item) for at, item in enumerate(results.items(), 1)))


def run_of(results: dict[str, Line | None]) -> Outcomes:
    return outcomes(opened(results), AT)


def every_way() -> Outcomes:
    return run_of({**BY_ID, "waiting": None})
