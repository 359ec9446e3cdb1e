"""`trouper batch TASKS --workers N`: many tasks, each an agent process with its own tool worker."""

import argparse
import difflib
import os
from collections.abc import Sequence
from pathlib import Path

import msgspec

from actors.messages.budget import Budget
from actors.settings import config
from actors.settings.config import Settings
from ui.batch import kept_command, task_files
from ui.batch.kept_command import Kept
from ui.batch.places import attached, placed
from ui.batch.reports import writer
from ui.batch.results_file import check_writable, lines
from ui.batch.task import BatchFront, Task
from ui.cli.arguments import Parser, add_asking, add_common, patience, positive, us_dollars
from ui.cli.batches import attach, cancel, retry, status
from ui.common.usage_errors import Usage
from ui.headless.stdout import STDERR
from ui.start import session_settings
from ui.start.fronts import START_S, encoded
from ui.start.launch_state import Launch
from ui.start.session_run import Run, supervise

EXAMPLES = """
tasks, one JSON object a line:
  {"id": "fix-1", "prompt": "fix the failing test in tests/test_a.py", "check": "pytest -q tests/test_a.py"}
  {"id": "ui", "prompt": "make the page look like this", "attach": ["mockup.png"], "tags": ["web"]}
  {"id": "docs", "prompt": "document the CLI", "repo": "../other", "commit": "v2", "mode": "plan", "timeout": "10m"}
or TOML ([[task]] tables), a folder of prompts (ID.md, ID.txt), or - for JSON lines on standard input

examples:
  trouper batch tasks.jsonl --workers 8 --mode auto
  trouper batch tasks.jsonl --out results.jsonl     the same command goes on: what has ended is not run again
  trouper batch --resume latest --max-cost 20       goes on with the latest one, with more to spend
  trouper batch tasks.jsonl --again                 runs again what failed
  trouper batch tasks.jsonl --report ci.xml --report batch.html --artifacts out

from another terminal, about RUN: its id, its file, or latest (tasks in a file of such a name: ./status)
  trouper batch status [RUN] [--json]               how it stands, whether it runs or not
  trouper batch attach RUN                          look on until it ends; Ctrl-C leaves it
  trouper batch cancel RUN                          pause it in order; --resume goes on
  trouper batch retry RUN [ID...]                   run again what failed, or only these

Nobody is asked: what needs approval is refused, so say with --mode and --allow what the agents may do. In a git
repository each task that may write works in a copy of its own, and its changes are the patch of its result.
exit code: 0 when every task is done, 1 when one failed or was refused or a file could not be written, 4 when a budget
           stopped it, 6 when another program works on it, 124 when it could not begin in time, 130 when interrupted
"""
WORKERS = 4
WORDS = {"status": status.main, "attach": attach.main, "cancel": cancel.main}
"""About a batch that is there; with `retry` only where no file is called so."""


def main(arguments: Sequence[str], launch: Launch) -> int:
    """Returns the exit code. Raises Usage and BadConfiguration."""
    word, *rest = arguments or [""]
    if word in WORDS and not Path(word).exists():
        return WORDS[word](rest, launch)
    if word == "retry" and not Path(word).exists():
        arguments = retry.arguments(rest)
    if (near := _nearest(word)) and not Path(word).exists():
        raise Usage(f'there is no file "{word}". Did you mean: trouper batch {near}')
    options = parser().parse_args(arguments)
    resumed = None
    if options.resume is not None:
        if options.tasks is not None:
            raise Usage(f'--resume says which batch, and its tasks are known: leave "{options.tasks}" out.')
        resumed = kept_command.find(str(config.home_folder(os.environ)), options.resume)
        options = _gone_on_with(resumed, arguments)
    if options.tasks is None:
        raise Usage("say which tasks: a file, a folder, or - for standard input. See: trouper batch --help")
    settings = session_settings.for_asking(session_settings.prepare(options, launch), options)
    return supervise(_run(options, arguments, settings, launch, resumed))


def _nearest(word: str) -> str:
    """What of ours was meant by a word that is none; "" where it looks like a file."""
    ours = (*WORDS, "retry", "resume")
    near = difflib.get_close_matches(word, ours, 1, 0.7) if word.isalpha() and word not in ours[:-1] else []
    return "".join(near).replace("resume", "--resume RUN")


def _gone_on_with(kept: Kept, arguments: Sequence[str]) -> argparse.Namespace:
    """The options of then, and what is said now on top of them. Raises Usage."""
    try:
        os.chdir(kept.cwd)
    except OSError as error:
        hint = "The batch was begun there: move it back, or begin another with: trouper batch TASKS"
        raise Usage(f"cannot go on in {kept.cwd}: {error.strerror}. {hint}") from error
    return parser().parse_args([*kept.arguments, *arguments])


def _run(
    options: argparse.Namespace, arguments: Sequence[str], settings: Settings, launch: Launch, resumed: Kept | None
) -> Run:
    """Everything is checked before anything is paid for. Raises Usage."""
    out = resumed.out if resumed is not None else str(_out(options))
    check_writable(Path(out))
    lines(Path(out))
    run_id = kept_command.run_id_of(Path(out))
    tasks = _tasks(options, settings, run_id, kept=resumed is not None)
    if unknown := set(options.again_only) - {task.id for task in tasks}:
        raise Usage(f'there is no task "{min(unknown)}" in the batch {run_id}. See: trouper batch status {run_id}')
    patch_folder = _folder(options.patch)
    front = BatchFront(
        run_id=run_id,
        tasks=tasks,
        tasks_from=_whole(options.tasks),
        files={task.id: attached(task) for task in tasks if task.attach},
        workers=options.workers or WORKERS,
        out=out,
        max_turns=options.max_turns or settings.max_turns,
        isolation=options.isolation,
        patch_folder=patch_folder,
        timeout_s=options.timeout,
        start_s=options.start_timeout,
        stall_s=options.stall,
        retries=options.retries,
        soft_cost_usd=options.soft_cost,
        again=options.again,
        again_only=tuple(options.again_only),
        reports=writer.reports(options.report, options.predictions, options.artifacts),
        resumed=resumed is not None,
    )
    if resumed is None:
        said = tuple(arguments)
        kept = Kept(run_id=run_id, cwd=str(Path.cwd()), arguments=said, tasks=front.tasks_from, out=out)
        _keep(settings.home, kept)
    settings = msgspec.structs.replace(settings, budgets=_of_all(settings.budgets, run_id), front=encoded(front))
    return Run(settings=settings, launch=launch, entry="ui.batch.front:run", main_agent=False, draws=os.isatty(STDERR))


def _of_all(budgets: tuple[Budget, ...], run_id: str) -> tuple[Budget, ...]:
    """They are for all tasks together, and for all starts."""
    batch = {"session_id": run_id, "what": "this batch", "again": "the same command and"}
    return tuple(msgspec.structs.replace(budget, **batch) for budget in budgets)


def _keep(home: str, kept: Kept) -> None:
    """Without --again: who goes on with it later does not mean that. Raises Usage."""
    without = msgspec.structs.replace(kept, arguments=tuple(one for one in kept.arguments if one != "--again"))
    try:
        kept_command.keep(home, without)
    except OSError as error:
        raise Usage(f"cannot keep the command in {home}: {error.strerror}. Free some space.") from error


def _tasks(options: argparse.Namespace, settings: Settings, run_id: str, *, kept: bool) -> tuple[Task, ...]:
    """Raises Usage."""
    if options.tasks != task_files.STDIN:
        return placed(task_files.read(options.tasks), settings, options.isolation)
    path = kept_command.stdin_of(settings.home, run_id)
    if kept:
        return placed(task_files.read(str(path)), settings, options.isolation)
    tasks = task_files.read(task_files.STDIN)
    kept_command.keep_stdin(path, tasks)
    return placed(tasks, settings, options.isolation)


def _out(options: argparse.Namespace) -> Path:
    """Where results go, as a whole path. By default beside the tasks."""
    if options.out:
        return Path(options.out).resolve()
    if options.tasks == task_files.STDIN:
        return Path("batch.results.jsonl").resolve()
    tasks = Path(str(options.tasks)).resolve()
    return tasks.with_name(f"{tasks.name if tasks.is_dir() else tasks.stem}.results.jsonl").resolve()


def _whole(tasks: str) -> str:
    return tasks if tasks == task_files.STDIN else str(Path(tasks).resolve())


def _folder(said: str | None) -> str:
    """Made where it is not there. Raises Usage."""
    if said is None:
        return ""
    folder = Path(said).resolve()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Usage(f"cannot make {folder}: {error.strerror}.") from error
    return str(folder)


def parser() -> argparse.ArgumentParser:
    made = Parser(
        prog="trouper batch",
        description="Run many tasks, each by an agent of its own; one JSON result a line as soon as it is there.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = made.add_argument
    add("tasks", metavar="TASKS", nargs="?")
    add("--resume", metavar="RUN", help="go on with that one: its id, its file, or latest; other options count on top")
    add("--again", action="store_true", help="run again what failed; its result is replaced")
    add("--again-only", action="append", default=[], help=argparse.SUPPRESS)  # of trouper batch retry
    add("--workers", type=positive, metavar="N", help=f"agents at once (default {WORKERS})")
    add("--out", metavar="RESULTS.jsonl", help="default: TASKS.results.jsonl beside the tasks")
    add(
        "--isolation", choices=("worktree", "none"),
        help="default: a worktree in a git repository where the task may write, else none",
    )  # fmt: skip
    add("--patch", metavar="FOLDER", help="patches as files FOLDER/ID.patch, and their paths in the results")
    add(
        "--report", action="append", default=[], metavar="FILE",
        help="at the end: FILE.json, FILE.xml (JUnit), FILE.md or FILE.html; repeatable",
    )  # fmt: skip
    add("--predictions", default="", metavar="FILE", help="patches as JSON lines, as SWE-bench evaluates them")
    add("--artifacts", default="", metavar="FOLDER", help="of each task: patch, log, transcript, trajectory, result")
    add("--max-turns", type=positive, metavar="N", help="model requests of one task (default 40)")
    add("--timeout", type=_time, metavar="TIME", help="of one task, such as 30m")
    add(
        "--start-timeout", type=patience, default=START_S, metavar="TIME",
        help="for the start, and to make and clear up the place of a task (15m)",
    )  # fmt: skip
    add("--stall", type=_time, default=600.0, metavar="TIME", help="end a task that is silent so long (10m)")
    add("--retries", type=_count, default=1, metavar="N", help="for crashes, outages and stalls, not for failures (1)")
    add("--soft-cost", type=us_dollars, metavar="USD", help="begin no further task once so much is spent")
    add_asking(made)
    add_common(made)
    return made


def _count(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError("must be a whole number, at least 0")
    return int(text)


def _time(text: str) -> float:
    """Seconds; none at all would end each task at once."""
    if not (seconds := patience(text)):
        raise argparse.ArgumentTypeError('must be more than 0, such as "90s", "10m" or "1h"')
    return seconds
