"""`trouper review [TARGET]`: a change looked over by a model without tools; with --fix agents mend what it finds."""

import argparse
import shlex
from collections.abc import Sequence
from pathlib import Path

import msgspec

from actors.settings.config import Settings
from ui.cli.arguments import Parser, add_asking, add_common
from ui.cli.inquiry_options import absolute, add_inquiry, resumed, run_of
from ui.cli.subcommands import batch
from ui.common.exit_codes import DONE, FAILED, FOUND
from ui.common.json_text import line
from ui.common.usage_errors import Usage, check_text
from ui.findings import writing
from ui.findings.report import counted
from ui.headless.stdout import say
from ui.inquiry import kept_run
from ui.inquiry.closed_files import closed
from ui.inquiry.kept_run import Command, Kept
from ui.review import accepted, prompts, targets
from ui.review import task as tasks
from ui.review.targets import Target
from ui.review.task import STDOUT, WORKERS, Fix, FixFront, Found, ReviewFront
from ui.start import session_settings
from ui.start.fronts import encoded
from ui.start.launch_state import Launch
from ui.start.session_run import Run, supervise

COMMAND: Command = "review"
ENTRY, ACTORS = "ui.review.front:run", ("store", "providers", "checkpoints", "ui")
FIX_ENTRY = "ui.review.commits:run"
FORMS = (*writing.FORMS, "github")
FIX_MODE = "accept-edits"
LEAST_USD = 0.000001
EXAMPLES = """
what is reviewed:
  trouper review                     what is not committed, also files that git does not know yet
  trouper review --staged            what is staged
  trouper review main..HEAD          what HEAD has since it left main (so does main...HEAD)
  trouper review feature             what the branch has since it left the main one
  trouper review HEAD~1              that commit
  git diff v1 -- src | trouper review -
  trouper review '#123'              a pull request, by gh; also 123, or its address

examples:
  trouper review --format sarif --out review.sarif --fail-on high
  trouper review '#123' --format github > review.json
  gh api repos/OWNER/NAME/pulls/123/reviews --input review.json
  trouper review --fix --check "pytest -q"           asks of each finding whether agents are to fix it
  trouper review main..HEAD --fix critical,high --check "make test"

The model has no tools and sees the change with its surroundings, in this order: is it correct, is it tested, could it
be simpler. Fixes are made in worktrees, one agent and one commit a finding, on a branch trouper/review-...; your
branch, index and files stay as they are. With --check only what passes it becomes a commit.
exit code: 0 when it is done, 1 when not all could be looked at or fixed, 2 for wrong arguments, 3 when it was not
           agreed to, 4 when a budget stopped it, 5 without a key, 6 when another program works on it, 7 with
           --fail-on when there is such a finding, 130 when interrupted
"""


def main(arguments: Sequence[str], launch: Launch) -> int:
    """Returns the exit code. Raises Usage and BadConfiguration."""
    options, begun = resumed(parser(), COMMAND, arguments, ("target",))
    _check(options)
    settings = session_settings.for_asking(session_settings.prepare(options, launch), options)
    kept, target = _target(options, arguments, settings, begun)
    if not target.changes.files:
        left = ", ".join(f"{count} {reason}" for reason, count in counted(one.reason for one in target.changes.skipped))
        say(f"{target.what}: there is nothing to review{f', and this is left out: {left}' if left else ''}.")
        return DONE
    if options.fix is not None:
        _check_fixable(target)
    code = supervise(_run(options, kept, settings, launch))
    if options.fix is None or code not in (DONE, FOUND):
        return code
    fixed = _fix(options, kept, settings, target, launch)
    return code if fixed == DONE else fixed


def _check(options: argparse.Namespace) -> None:
    """Raises Usage."""
    if options.staged and options.target:
        raise Usage(f'--staged is what is staged: leave "{options.target}" out.')
    if options.check and options.fix is None:
        raise Usage("--check is for what --fix changes: say --fix, too.")
    if options.fix is not None:
        accepted.check(options.fix)
    if options.format == "github" and options.out:
        raise Usage("--format github goes to standard output: … > review.json")
    check_text(options.target, options.check)


def _target(
    options: argparse.Namespace, arguments: Sequence[str], settings: Settings, begun: Kept | None
) -> tuple[Kept, Target]:
    """Of one that is gone on with what was reviewed then. Raises Usage."""
    out = _out(options.out)
    if out != STDOUT:
        writing.check_out(Path(out), Path(settings.cwd))
    if begun is not None:
        return begun, tasks.kept_target(settings.home, begun)
    target = targets.find(options.target, Path(settings.cwd), closed(settings.rules), staged=options.staged)
    which = "--staged" if options.staged else options.target
    kept = kept_run.begun(settings.home, COMMAND, settings.cwd, f"{which} {out}", tuple(arguments))
    tasks.keep(tasks.target_path(settings.home, kept), target)
    tasks.tidy(settings.home)
    return kept, target


def _out(said: str) -> str:
    return STDOUT if said in ("", STDOUT) else absolute(said)


def _check_fixable(target: Target) -> None:
    """Raises Usage."""
    if target.kind == "patch":
        raise Usage("of a patch there are no files to fix: git apply it, then review what is not committed.")
    if target.kind == "pull request" and not target.is_here:
        number = target.what.partition(" ")[0].removeprefix("#")
        raise Usage(f"its commit is not here. Get it, then try again: git fetch origin pull/{number}/head")


def _run(options: argparse.Namespace, kept: Kept, settings: Settings, launch: Launch) -> Run:
    front = ReviewFront(
        kept=kept,
        command=shlex.join(["trouper", COMMAND, *kept.arguments]),
        form=options.format,
        out=_out(options.out),
        workers=options.workers,
        fail_on=options.fail_on,
        agreed=options.yes or options.max_cost is not None,
        fixes=options.fix is not None,
        base=tasks.base_of(settings.home, kept) if options.resume is not None else "",
    )
    return run_of(ENTRY, ACTORS, settings, front, launch)


def _fix(options: argparse.Namespace, kept: Kept, settings: Settings, target: Target, launch: Launch) -> int:
    """An ordinary batch, and then commits. Raises Usage and BadConfiguration."""
    found = tasks.found(settings.home, kept)
    chosen = accepted.chosen(options.fix, found.findings)
    if not chosen:
        say("nothing is to be fixed.")
        _end(kept, settings)
        return DONE
    front = FixFront(
        cwd=target.top,
        base=found.base,
        fixes=tuple(Fix(task_id=one.fingerprint[:12], finding=one) for one in chosen),
        results=str(tasks.fix_path(settings.home, kept, "results")),
        branch=f"trouper/review-{kept.run_id}",
        check=options.check,
        is_committed=target.kind != "working tree",
    )
    path = tasks.fix_path(settings.home, kept, "tasks")
    tasks.keep_bytes(path, _tasks(front).encode())
    code = batch.main([str(path), "--out", front.results, *_of_batch(options, settings, found)], Launch(launch.file))
    if code not in (DONE, FAILED):
        return code
    again = Launch(launch.file)
    settings = msgspec.structs.replace(session_settings.prepare(options, again), front=encoded(front))
    code = supervise(Run(settings=settings, launch=again, entry=FIX_ENTRY, main_agent=False))
    if code in (DONE, FAILED):
        _end(kept, settings)
    return code


def _end(kept: Kept, settings: Settings) -> None:
    """The same command begins another one from here on. Raises Usage."""
    try:
        kept_run.keep(settings.home, msgspec.structs.replace(kept, has_ended=True))
    except OSError as error:
        raise Usage(f"cannot write to {settings.home}: {error.strerror}. Free some space.") from error


def _tasks(front: FixFront) -> str:
    """One a finding, as a batch reads them."""
    about = {"cwd": front.cwd, "commit": front.base, "check": front.check}
    return "".join(line({"id": fix.task_id, "prompt": prompts.fix(fix.finding), **about}) for fix in front.fixes)


def _of_batch(options: argparse.Namespace, settings: Settings, found: Found) -> list[str]:
    """Its arguments, but for its tasks and results."""
    said = {
        "--isolation": "worktree",
        "--workers": str(options.workers),
        "--mode": options.mode or FIX_MODE,
        "--cwd": settings.cwd,
        "--model": options.model,
        "--effort": options.effort,
        **_rest(options, found),
    }
    named = [word for name, value in said.items() if value for word in (name, value)]
    rules = [word for name in ("allow", "deny") for rule in getattr(options, name) for word in (f"--{name}", rule)]
    switches = {
        "--no-sandbox": options.no_sandbox,
        "--trust-mcp": options.trust_mcp,
        "--unrestricted": options.unrestricted,
    }
    return [*named, *rules, *(name for name, is_on in switches.items() if is_on)]


def _rest(options: argparse.Namespace, found: Found) -> dict[str, str]:
    """What the review has left of the limits; what is none does not let one request begin."""
    limits = {}
    if options.max_cost is not None:
        limits["--max-cost"] = f"{max(options.max_cost - (found.usd or 0.0), LEAST_USD):.6f}"
    if options.max_tokens is not None:
        limits["--max-tokens"] = str(max(options.max_tokens - found.tokens, 1))
    return limits


def parser() -> argparse.ArgumentParser:
    made = Parser(
        prog=f"trouper {COMMAND}",
        description="Look over a change, by a model without tools; with --fix agents mend what was found.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = made.add_argument
    add("target", nargs="?", default="", metavar="TARGET", help="default: what is not committed; see below")
    add("--staged", action="store_true", help="what is staged")
    add("--format", choices=FORMS, default="markdown", metavar="FORM", help=f"{', '.join(FORMS)} (default: markdown)")
    add("--out", default="", metavar="FILE", help="of the workspace (default: standard output)")
    add(
        "--fix", nargs="?", const=accepted.ASK, metavar="WHICH",
        help="agents fix what you say yes to; or all, or severities such as critical,high",
    )  # fmt: skip
    add("--check", default="", metavar="COMMAND", help="with --fix: must pass before something becomes a commit")
    add_inquiry(made, WORKERS, "questions, and agents,")
    add_asking(made)
    add_common(made)
    return made
