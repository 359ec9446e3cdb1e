"""`trouper bug-report`: a file for whoever is to find a fault; it is sent nowhere."""

import argparse
import os
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import msgspec
import trio

from actors.confinement.sandbox.view import private_folder
from actors.settings import config
from ui.bug_report import logs
from ui.bug_report.bundle import Bundle, secrets_here
from ui.bug_report.front import DOCTOR, SHAPE, WHY, WORDS, Wanted
from ui.cli.arguments import Parser, add_common
from ui.cli.health import settings_although
from ui.common import json_text
from ui.common.doctor import asking, database
from ui.common.doctor.asking import Here
from ui.common.doctor.home import unusable
from ui.common.exit_codes import DONE, FAILED
from ui.common.harmless import sanitise
from ui.common.usage_errors import Usage
from ui.headless.one_answer import complain, printed
from ui.start.fronts import encoded
from ui.start.launch_state import Launch
from ui.start.session_run import Run, supervise

EXAMPLES = """
examples:
  trouper bug-report                         of the latest session here
  trouper bug-report 3fa9 --out fault.zip
  trouper bug-report --with-text             also what was said; you see it first

Nothing is sent anywhere. Without --with-text no word of a session is in it, and no secret in any case; look
through it before you hand it on.
exit codes: 0 written, 1 could not be written, 2 usage
"""
SHOWN_LINES = 200
"""More go to a pager."""


def main(arguments: Sequence[str], launch: Launch) -> int:
    """Returns the exit code. Raises Usage and BadConfiguration."""
    options = parser().parse_args(arguments)
    out = _out(options.out)
    if options.with_text and not (os.isatty(0) and os.isatty(2)):
        raise Usage("--with-text shows what goes in and asks; there is no terminal to ask on.")
    private = private_folder.of_worker()  # killed here, the next session removes it
    folder = private.outside
    try:
        if code := _gather(options, launch, folder):
            return code
        bundle = _bundle(folder, config.home_folder(os.environ), words=options.with_text)
        if options.with_text:
            _ask(bundle)
        bundle.write(out)
    except OSError as error:
        complain(f"{out} cannot be written: {error.strerror or error}. Name another place: --out FILE")
        return FAILED
    finally:
        private.leave()
    return printed(f"{out}\n{bundle.table()}Nothing was sent. Look through it, and give it to whoever is to help.\n")


def _out(said: str | None) -> Path:
    """Raises Usage."""
    name = said or time.strftime("trouper-bug-report-%Y%m%d-%H%M%S.zip")
    out = Path(name).absolute()
    if out.exists() or out.is_symlink():
        raise Usage(f"--out {out}: that is there already. Name another file.")
    if not out.parent.is_dir():
        raise Usage(f"--out {out}: there is no folder {out.parent}.")
    return out


def _gather(options: argparse.Namespace, launch: Launch, folder: Path) -> int:
    """The exit code of what asked, 0 where all is in the folder. Raises Usage and BadConfiguration."""
    fault = unusable(config.home_folder(os.environ))
    settings, broken = settings_although.read(options, launch, without=fault is not None and fault.hangs)
    here = Here(interactive=False, broken=broken)
    if fault:
        report = trio.run(asking.without_actors, settings, here, fault.why)
        (folder / DOCTOR).write_text(json_text.pretty(report.object))
        (folder / WHY).write_text("The session was not read: TROUPER_HOME cannot be used, see doctor.json.\n")
        return DONE
    here = replace(here, before=asking.before(settings))
    store = all(row.state != "problem" for row in database.rows(settings))
    wanted = Wanted(folder=str(folder), here=here, session=options.session, store=store, words=options.with_text)
    settings = msgspec.structs.replace(settings, front=encoded(wanted))
    actors = (*(["store"] if store else []), "providers", "gate", "tools:main", "ui")
    return supervise(Run(settings=settings, launch=launch, entry="ui.bug_report.front:run", actors=actors))


def _bundle(folder: Path, home: Path, *, words: bool) -> Bundle:
    from actors.settings.secrets.leaving_out import Cleaner

    bundle = Bundle(Cleaner(secrets_here(home, Path.cwd(), os.environ)), os.environ)
    for name in (DOCTOR, SHAPE, WHY, WORDS):
        path = folder / name
        if path.exists():
            bundle.add(name, path.read_text(errors="replace"))
    for name, text in (*logs.own(home), *(logs.of_servers(home) if words else ())):
        bundle.add(name, text)
    return bundle


def _ask(bundle: Bundle) -> None:
    """What is shown is what would go in."""
    names = [member.name for member in bundle.members if member.name == WORDS or "mcp-" in member.name]
    _show("".join(f"--- {name}\n{bundle.text(name).rstrip()}\n" for name in names))
    if not names:
        complain("there are no words to add.")
        return
    sys.stderr.write("Is all of this to go in? [y/N] ")
    sys.stderr.flush()
    if sys.stdin.readline().strip().lower() not in ("y", "yes"):
        for name in names:
            bundle.drop(name)
        complain("it goes without the words.")


def _show(text: str) -> None:
    """All of it: what is long in the user's pager."""
    text = sanitise(text)
    pager = shlex.split(os.environ.get("PAGER", "")) or ["less"]
    if text.count("\n") > SHOWN_LINES and shutil.which(pager[0]):
        with suppress(BrokenPipeError):  # he has seen enough
            subprocess.run(pager, input=text, text=True, stdout=sys.stderr, check=False)
    else:
        sys.stderr.write(text)


def parser() -> argparse.ArgumentParser:
    made = Parser(
        prog="trouper bug-report",
        description="Write a file for whoever is to find a fault: the doctor's findings, the log, a session's shape.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    made.add_argument("session", nargs="?", default="", metavar="SESSION", help="which (default: the latest here)")
    made.add_argument("--out", metavar="FILE", help="to there (default: trouper-bug-report-DATE.zip, here)")
    made.add_argument("--with-text", action="store_true", help="also its words, after you have seen them")
    add_common(made)
    return made
