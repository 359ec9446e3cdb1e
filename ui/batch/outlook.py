"""What is known of a batch before it begins: what earlier starts did, what is to be expected, is the service there."""

from collections.abc import Callable, Iterable, Sequence
from statistics import median

import msgspec
import trio

from actors.common.budget import dollars
from actors.common.plurals import how_many
from actors.errors import Failed
from actors.mailbox import Mailbox
from actors.messages.batch import TaskRow
from actors.messages.model import ServiceSaid, TryService
from ui.batch.results import Result

FIRST_WAIT_S, LONGEST_WAIT_S = 1.0, 30.0
"""Between two looks at a service that is down."""


def plan(rows: Sequence[TaskRow], to_do: int, workers: int, out: str) -> str:
    """rows: of all tasks."""
    done = sum(row.state == "done" for row in rows)
    failed = sum(row.state == "failed" for row in rows)
    begun = sum(row.prompts > 0 and not row.has_ended for row in rows)
    before = ", ".join(
        f"{count} {how}" for count, how in ((done, "done"), (failed, "failed"), (begun, "begun")) if count
    )
    what = f"{how_many(to_do, 'task')} to do, {workers} at a time" if to_do else "nothing is left to do"
    return f"{how_many(len(rows), 'task')}{f' ({before} before)' * bool(before)}: {what}; results: {out}"


def estimate(rows: Iterable[TaskRow], to_do: int, workers: int) -> str:
    """By what the tasks that are done took."""
    if not to_do:
        return ""
    done = [msgspec.json.decode(row.result, type=Result) for row in rows if row.state == "done"]
    if not done:
        return "what it will take is not known: no task of it is done yet"
    seconds = median(result.ms for result in done) / 1000 * -(-to_do // min(workers, to_do))
    costs = [result.usage.known_cost_usd for result in done if result.usage is not None]
    known = [cost for cost in costs if cost is not None]
    cost = f" and {dollars(median(known) * to_do)}" if known else "; its cost is not known"
    return f"about {_in_words(seconds)}{cost}, if they are like the {how_many(len(done), 'task')} done"


def _in_words(seconds: float) -> str:
    return how_many(round(seconds / 60), "minute") if seconds >= 90 else how_many(max(1, round(seconds)), "second")


async def wait_for_services(
    mailbox: Mailbox, models: Iterable[str], patience_s: float, say: Callable[[str], None]
) -> str:
    """Until each is there; why not, when patience has ended. "" also where a task alone can tell, such as no key."""
    deadline = trio.current_time() + patience_s
    for model in models:
        wait = FIRST_WAIT_S
        while problem := await _problem(mailbox, model):
            left = deadline - trio.current_time()
            if left <= 0:
                return problem
            say(f"no task is begun yet: {problem} Looking again in {how_many(round(min(wait, left)) or 1, 'second')}.")
            await trio.sleep(min(wait, left))
            wait = min(2 * wait, LONGEST_WAIT_S)
    return ""


async def _problem(mailbox: Mailbox, model: str) -> str:
    """What an outage is for people; "" where there is none."""
    try:
        said = await mailbox.insist("providers", TryService(model=model), ServiceSaid)
    except Failed:
        return ""
    return f"{said.text} {said.hint}".strip() if said.state == "problem" else ""
