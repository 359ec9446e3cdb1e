"""Row of what the record of the files costs the first call after a prompt that may write."""

from tests.bench.agents.trouper import TOOLS
from tests.bench.bench import Bench
from tests.bench.figures import Figure
from tests.bench.plan import Plan

FILES, FOLDERS = 2000, 50
PROMPTS = 6
"""In one session; the first one's call also waits for the worker to start."""
CALLS = 3


def first_write(bench: Bench, runs: int) -> list[Figure]:
    """The user has changed a file before every other prompt. Files are written, and recorded, anew in each session."""
    edited = bench.place.workspace / "many" / "0" / "0.txt"
    for number in range(FILES):
        path = bench.place.workspace / "many" / str(number % FOLDERS) / f"{number}.txt"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{number}\n" * 100)
    starts: list[float] = []
    added: list[list[float]] = [[], []]
    for run in range(runs):
        with bench.screen() as terminal:
            terminal.settle()
            for number in range(PROMPTS):
                if number % 2:
                    edited.write_text(f"{run} {number}\n")
                bench.service.forget()
                terminal.submit(Plan(calls=(TOOLS.write(f"made-{run}-{number}-#.txt", "x"),), rounds=CALLS).prompt)
                first, *later = _calls_ms(bench)
                if number:
                    added[number % 2].append(first - sum(later) / len(later))
                else:
                    starts.append(first)
                terminal.quiet()
    return [
        Figure(what="first writing call of a session, 2,000 files", unit="ms", values=starts),
        Figure(what="first one after a prompt, over the next ones", unit="ms", values=added[0], target=20),
        Figure(what="the same, the user has changed a file", unit="ms", values=added[1], target=20),
    ]


def _calls_ms(bench: Bench) -> list[float]:
    """From each answer with a call to the request with its result."""
    bench.service.wait_for_request(CALLS)
    answered = bench.service.wait(lambda seen: seen.what == "answering", CALLS)
    return [(bench.service.wait_for_request(at + 1) - answered[at].at) * 1000 for at in range(CALLS)]
