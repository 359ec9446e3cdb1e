"""`trouper batch TASKS.jsonl --workers N`: many tasks, each an agent process with its own tool worker."""

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from actors.messages.usage import NOTHING_USED
from actors.settings.config import Settings
from ui.cli.arguments import Parser, add_asking, add_common, positive
from ui.common.attached_files import AttachedFile, NotAttachable, look_at_all
from ui.common.usage_errors import Usage
from ui.headless.batch_results import check_writable, finished_ids, results
from ui.start import session_settings
from ui.start.fronts import BatchFront, Task, encoded
from ui.start.launch_state import Launch
from ui.start.session_run import Run, supervise

EXAMPLES = """
tasks, one JSON object a line:
  {"id": "fix-1", "prompt": "fix the failing test in tests/test_a.py"}
  {"id": "ui", "prompt": "make the page look like this", "attach": ["mockup.png"]}
  {"id": "docs", "prompt": "document the CLI", "cwd": "../other-repo", "model": "anthropic/claude-sonnet-5-5"}

examples:
  trouper batch tasks.jsonl --workers 8 --mode auto
  trouper batch tasks.jsonl --out results.jsonl     tasks that are done there are not run again

Nobody is asked: what needs approval is refused, so say with --mode and --allow what the agents may do.
exit code: 0 when every task is done, 4 when --max-cost stopped it, 1 when a task failed or was refused,
           130 when interrupted
"""


def main(arguments: Sequence[str], launch: Launch) -> int:
    """Returns the exit code. Raises Usage and BadConfiguration."""
    options = parser().parse_args(arguments)
    settings = session_settings.for_asking(session_settings.prepare(options, launch), options)
    tasks = tuple(_with_folders(read_tasks(Path(options.tasks)), Path(settings.cwd)))
    out = Path(options.out or f"{Path(options.tasks).with_suffix('')}.results.jsonl").absolute()
    check_writable(out)
    finished = finished_ids(out, settings.run_id)
    settings = _with_shared_budget(settings, out)
    to_do = tuple(task for task in tasks if task.id not in finished)
    front = BatchFront(
        tasks=to_do,
        done_before=len(tasks) - len(to_do),
        files={task.id: _attached(task) for task in tasks if task.attach},
        workers=options.workers,
        out=str(out),
        max_turns=options.max_turns or settings.max_turns,
    )
    settings = msgspec.structs.replace(settings, front=encoded(front))
    return supervise(Run(settings=settings, launch=launch, entry="ui.headless.batch:run", main_agent=False))


def _with_shared_budget(settings: Settings, out: Path) -> Settings:
    """It is for the whole batch: for all workers, and with what earlier runs of it have used. Raises Usage."""
    used = sum((result.used for result in results(out)), start=NOTHING_USED)
    earlier = used.cost_usd
    if earlier is None and any(budget.usd is not None for budget in settings.budgets):
        raise Usage(
            f"what the results in {out} have cost is unknown, so --max-cost cannot be kept. "
            "Name another file with --out, or leave --max-cost out."
        )
    shared = [
        msgspec.structs.replace(
            budget,
            session_id=settings.run_id,
            earlier_usd=earlier or 0.0,
            earlier_tokens=used.input_tokens + used.output_tokens,
            what="this batch",
            again="the same command and",
        )
        for budget in settings.budgets
    ]
    return msgspec.structs.replace(settings, budgets=tuple(shared))


def read_tasks(path: Path) -> Iterator[Task]:
    """Raises Usage, naming the line."""
    seen: set[str] = set()
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except OSError as error:
        raise Usage(f"cannot read {path}: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise Usage(f"cannot read {path}: it is not UTF-8.") from error
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            task = msgspec.json.decode(line, type=Task)
        except msgspec.DecodeError as error:
            example = '{"id": "a", "prompt": "..."}'
            raise Usage(f"{path}, line {number}: {error}. A task looks like {example}") from error
        if not task.id or not task.prompt.strip():
            raise Usage(f"{path}, line {number}: the {'prompt' if task.id else 'id'} is empty.")
        if task.id in seen:
            raise Usage(f'{path}, line {number}: the id "{task.id}" is there already.')
        seen.add(task.id)
        yield task


def _with_folders(tasks: Iterator[Task], base: Path) -> Iterator[Task]:
    for task in tasks:
        folder = (base / task.cwd).resolve()
        if not folder.is_dir():
            raise Usage(f'task "{task.id}": there is no folder {folder}.')
        yield msgspec.structs.replace(task, cwd=str(folder))


def _attached(task: Task) -> tuple[AttachedFile, ...]:
    """Raises Usage."""
    try:
        return look_at_all(Path(task.cwd) / name for name in task.attach)
    except NotAttachable as error:
        raise Usage(f'task "{task.id}": cannot attach {error}') from error


def parser() -> argparse.ArgumentParser:
    made = Parser(
        prog="trouper batch",
        description="Run many tasks, each by an agent of its own; one JSON result a line as soon as it is there.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    made.add_argument("tasks", metavar="TASKS.jsonl")
    made.add_argument("--workers", type=positive, default=4, metavar="N", help="agents at once (default 4)")
    made.add_argument("--out", metavar="RESULTS.jsonl", help="default: TASKS.results.jsonl beside the tasks")
    made.add_argument("--max-turns", type=positive, metavar="N", help="model requests of one task (default 40)")
    add_asking(made)
    add_common(made)
    return made
