"""`trouper batch TASKS.jsonl --workers N`: many tasks, each an agent process with its own tool worker."""

import argparse
import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from ui import session
from ui.arguments import add_common, positive
from ui.session import Run
from ui.start import Launch
from ui.usage import Usage

EXAMPLES = """
tasks, one JSON object a line:
  {"id": "fix-1", "prompt": "fix the failing test in tests/test_a.py"}
  {"id": "docs", "prompt": "document the CLI", "cwd": "../other-repo", "model": "anthropic/claude-sonnet-5-5"}

examples:
  trouper batch tasks.jsonl --workers 8 --mode auto
  trouper batch tasks.jsonl --out results.jsonl     tasks that have a result there are not run again

Nobody is asked: what needs approval is refused, so say with --mode and --allow what the agents may do.
exit code: 0 when every task is done, 1 otherwise, 130 when interrupted
"""


class Task(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One line of the task file."""

    id: str
    prompt: str
    cwd: str = ""
    model: str = ""


class BatchFront(msgspec.Struct, frozen=True, kw_only=True):
    """Settings.front of a batch."""

    tasks: tuple[Task, ...]
    workers: int
    out: str
    max_turns: int


def main(arguments: Sequence[str], launch: Launch) -> int:
    """Returns the exit code. Raises Usage and BadConfiguration."""
    options = _parser().parse_args(arguments)
    settings = session.prepare(options, launch)
    tasks = tuple(_with_folders(read_tasks(Path(options.tasks)), Path(settings.cwd)))
    out = Path(options.out or f"{Path(options.tasks).with_suffix('')}.results.jsonl").absolute()
    finished = finished_ids(out, settings.run_id)
    front = BatchFront(
        tasks=tuple(task for task in tasks if task.id not in finished),
        workers=options.workers,
        out=str(out),
        max_turns=options.max_turns or settings.max_turns,
    )
    settings = msgspec.structs.replace(settings, front=session.front(front))
    return session.supervise(Run(settings=settings, launch=launch, entry="ui.batch:run", main_agent=False))


def read_tasks(path: Path) -> Iterator[Task]:
    """Raises Usage, naming the line."""
    seen: set[str] = set()
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise Usage(f"cannot read {path}: {error}.") from error
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            task = msgspec.json.decode(line, type=Task)
        except msgspec.DecodeError as error:
            example = '{"id": "a", "prompt": "..."}'
            raise Usage(f"{path}, line {number}: {error}. A task looks like {example}") from error
        if task.id in seen:
            raise Usage(f'{path}, line {number}: the id "{task.id}" is there already.')
        seen.add(task.id)
        yield task


def finished_ids(out: Path, run_id: str) -> set[str]:
    """Tasks whose result is in the file: "done", or however it ended when it is of this run.

    A torn last line, of a run that was killed, is cut off. Raises Usage and leaves alone what no batch has written.
    """

    class Result(msgspec.Struct):
        id: str
        reason: str
        session: str

    if not out.exists():
        return set()
    data = _read_regular(out)
    *lines, torn = data.split(b"\n")
    try:
        results = [msgspec.json.decode(line, type=Result) for line in lines if line.strip()]
    except msgspec.DecodeError as error:
        raise _no_results(out, str(error)) from error
    if not begins_like_a_result(torn):
        raise _no_results(out, "the last line is none")
    if torn:
        os.truncate(out, len(data) - len(torn))
    return {result.id for result in results if result.reason == "done" or result.session.startswith(f"{run_id}-")}


def begins_like_a_result(torn: bytes) -> bool:
    """Could one of our lines begin so? The first keys of `ui.report.result` after the id tell it from a task."""
    opening, following = b'{"id":"', b'","answer":'
    if len(torn) < len(opening):
        return opening.startswith(torn)
    task_id = re.match(re.escape(opening) + rb'(?:[^"\\]|\\.)*\\?', torn, re.DOTALL)
    return task_id is not None and following.startswith(torn[task_id.end() :][: len(following)])


def _read_regular(out: Path) -> bytes:
    if not out.is_file():
        raise Usage(f"{out} is there and is not a file. Name another with --out.")
    try:
        return out.read_bytes()
    except OSError as error:
        raise Usage(f"cannot read {out}: {error}.") from error


def _no_results(out: Path, why: str) -> Usage:
    return Usage(f"{out} is there and holds no results of a batch ({why}). Name another file with --out.")


def _with_folders(tasks: Iterator[Task], base: Path) -> Iterator[Task]:
    for task in tasks:
        folder = (base / task.cwd).resolve()
        if not folder.is_dir():
            raise Usage(f'task "{task.id}": there is no folder {folder}.')
        yield msgspec.structs.replace(task, cwd=str(folder))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="trouper batch",
        description="Run many tasks, each by an agent of its own; one JSON result a line as soon as it is there.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("tasks", metavar="TASKS.jsonl")
    parser.add_argument("--workers", type=positive, default=4, metavar="N", help="agents at once (default 4)")
    parser.add_argument("--out", metavar="RESULTS.jsonl", help="default: TASKS.results.jsonl beside the tasks")
    parser.add_argument("--max-turns", type=positive, metavar="N", help="model requests of one task (default 40)")
    add_common(parser)
    return parser
