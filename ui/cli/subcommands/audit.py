"""`trouper audit [FOCUS]`: the security problems of the workspace, found by a model without tools, in one report."""

import argparse
import shlex
from collections.abc import Sequence
from pathlib import Path

from actors.settings.config import Settings
from ui.audit.task import DEFAULT_OUT, MAX_CHUNKS, STDOUT, WORKERS, AuditFront
from ui.cli.arguments import Parser, add_asking, positive, without_common
from ui.cli.inquiry_options import absolute, add_inquiry, resumed, run_of
from ui.findings import writing
from ui.findings.writing import FORMS
from ui.inquiry import kept_run
from ui.inquiry.kept_run import Command, Kept
from ui.start import session_settings
from ui.start.launch_state import Launch
from ui.start.session_run import supervise

COMMAND: Command = "audit"
ENTRY, ACTORS = "ui.audit.front:run", ("store", "providers", "ui")
EXAMPLES = """
examples:
  trouper audit                                   all of it, into ISSUES.md
  trouper audit "SQL injection, and who may do what"
  trouper audit --diff main --format sarif        what has changed since main, for code scanning
  trouper audit --baseline ISSUES.md --out new.md --fail-on high
  trouper audit --resume --max-cost 20            goes on where it was, with more to spend

The model has no tools, so nothing in the repository can make it do anything; every finding is checked against the
file that it names. What is sent and what it may cost is said before the first request, and asked about above $1.
Files that ignore files name, secrets, keys, lock files, binaries and files over 512 KiB are not sent.
exit code: 0 when it is done, 1 when not all could be looked at, 2 for wrong arguments, 3 when it was not agreed to,
           4 when a budget stopped it, 5 without a key, 6 when another program works on it, 7 with --fail-on when
           there is such a finding, 130 when interrupted
"""


def main(arguments: Sequence[str], launch: Launch) -> int:
    """Returns the exit code. Raises Usage and BadConfiguration."""
    options, kept = resumed(parser(), COMMAND, arguments, ("focus",))
    settings = session_settings.for_asking(session_settings.prepare(options, launch), options)
    front = _front(options, arguments, settings, kept)
    return supervise(run_of(ENTRY, ACTORS, settings, front, launch))


def _front(options: argparse.Namespace, arguments: Sequence[str], settings: Settings, begun: Kept | None) -> AuditFront:
    """Everything is checked before anything is paid for. Raises Usage."""
    out = _out(options, Path(settings.cwd))
    if out != STDOUT:
        writing.check_out(Path(out), Path(settings.cwd))
    kept = begun or kept_run.begun(settings.home, COMMAND, settings.cwd, out, tuple(arguments))
    return AuditFront(
        kept=kept,
        command=shlex.join(["trouper", COMMAND, *kept.arguments]),
        focus=" ".join(options.focus),
        form=options.format,
        out=out,
        base=options.diff,
        baseline=absolute(options.baseline) if options.baseline else "",
        max_chunks=options.max_chunks,
        workers=options.workers,
        fail_on=options.fail_on,
        agreed=options.yes or options.max_cost is not None,
    )


def _out(options: argparse.Namespace, root: Path) -> str:
    if options.out == STDOUT:
        return STDOUT
    return absolute(options.out) if options.out else str(root / DEFAULT_OUT[options.format])


def parser() -> argparse.ArgumentParser:
    made = Parser(
        prog=f"trouper {COMMAND}",
        description="Look for security problems in the workspace, by a model without tools, and write a report.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = made.add_argument
    without_common(made)
    add("focus", nargs="*", metavar="FOCUS", help="what to look for, in your words (default: everything)")
    add("--format", choices=tuple(FORMS), default="markdown", metavar="FORM", help="markdown (default), sarif or json")
    names = ", ".join(DEFAULT_OUT.values())
    add("--out", metavar="FILE", help=f"of the workspace, or - for stdout (default: {names})")
    add("--diff", default="", metavar="BASE", help="only what has changed since that commit, with its surroundings")
    add("--baseline", metavar="REPORT", help="only what this report, in whichever form, does not have")
    add(
        "--max-chunks", type=positive, default=MAX_CHUNKS, metavar="N",
        help=f"refuse to begin with more ({MAX_CHUNKS})",
    )  # fmt: skip
    add_inquiry(made, WORKERS, "chunks asked about")
    add("--model", metavar="PROVIDER/NAME", help="as trouper models lists them, or scripted:FILE")
    add_asking(made)
    add("--cwd", default=None, metavar="FOLDER", help="the workspace (default: this folder)")
    return made
