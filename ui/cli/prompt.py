"""`trouper [PROMPT]` and `trouper -p`: one conversation, on the screen or headless."""

import argparse
import os
import select
import sys
import uuid
from collections.abc import Sequence
from pathlib import Path

import msgspec

from actors.settings.config import Settings
from actors.version import VERSION
from ui.cli import mistaken_prompts
from ui.common.attached_files import AttachedFile, NotAttachable, look_at_all
from ui.common.exit_codes import OF_TURN
from ui.common.own_shell import own_command
from ui.common.usage_errors import Usage
from ui.start import deadline, first_frame, session_settings
from ui.start.deadline import TooLate
from ui.start.fronts import START_S, Front, HeadlessFront, encoded
from ui.start.launch_state import Launch
from ui.start.session_run import Run, supervise

READING = "reading the configuration"
SILENCE_S = 2.0
"""So long may a pipe on stdin say nothing before we ask about it."""


def main(options: argparse.Namespace, launch: Launch) -> int:
    """Returns the exit code. Raises Usage and BadConfiguration."""
    _check_choice(options)
    _settle(options.prompt if options.headless is None else [], launch)
    try:
        return _run(options, launch)
    except TooLate as doing:
        return _late(options, str(doing))


def _run(options: argparse.Namespace, launch: Launch) -> int:
    """Raises Usage, BadConfiguration and TooLate."""
    by = launch.began + _start_s(options) if options.headless is not None and _start_s(options) else None
    with deadline.until(by, READING):
        settings = session_settings.for_asking(session_settings.prepare(options, launch), options)
    if options.max_turns:
        settings = msgspec.structs.replace(settings, max_turns=options.max_turns)
    settings = _resumed(settings, options)
    if options.headless is None and _is_headless(options):
        names = "--timeout, --start-timeout, --output, --background and --trajectory"
        raise Usage(f"{names} are for a prompt without a screen: trouper -p PROMPT")
    files = _attached(options)
    if options.headless is not None:
        return _headless(options, settings, launch, files)
    launch.plain = options.plain
    first = Front(prompt=" ".join(options.prompt), files=files, choose=options.resume == "")
    settings = screen_front(settings, launch, first)
    return supervise(screen_run(settings, launch))


def _is_headless(options: argparse.Namespace) -> bool:
    """There are options that only count without a screen."""
    deadlines = (options.timeout, options.start_timeout)
    given = any(one is not None for one in deadlines)
    return bool(given or options.output != "text" or options.trajectory or options.background)


def _check_choice(options: argparse.Namespace) -> None:
    """`trouper -r`: a list on the screen asks which, before anything is sent. Raises Usage where it cannot."""
    if options.resume == "" and (options.headless is not None or options.prompt or not os.isatty(1)):
        raise Usage("say which session: trouper -r ID. List them with: trouper sessions list")


def _resumed(settings: Settings, options: argparse.Namespace) -> Settings:
    """Raises Usage."""
    which = options.resume or ""
    if options.all and options.resume is None:
        raise Usage("--all is for a session that is looked for: trouper -r WHICH --all")
    if options.latest or which:
        return msgspec.structs.replace(
            settings, resume=True, session_id=which, everywhere=options.all, copy=options.copy
        )
    if options.copy:
        raise Usage("--copy is of a session: trouper -c --copy, or trouper -r ID --copy")
    return msgspec.structs.replace(settings, everywhere=options.all)


def screen_front(settings: Settings, launch: Launch, first: Front) -> Settings:
    """Settings for a session on the screen, or as lines. Raises Usage where there can be none.

    first: what the session begins with; the rest of it is filled in.
    """
    if not os.isatty(0):
        raise Usage("standard input is not a terminal. For one prompt without a screen: trouper -p PROMPT")
    saved = launch.paint(settings.cwd)
    flags = None if saved is None else saved.attributes
    front = msgspec.structs.replace(
        first,
        termios=None if flags is None else (*flags[:6], tuple(flags[6])),
        plain=flags is None,
        version=VERSION,
        header=_words_of_plain(settings.cwd) if saved is None else saved.header,
        opener=_opener(settings),
    )
    return msgspec.structs.replace(settings, interactive=True, terminal=terminal_name(0), front=encoded(front))


def screen_run(settings: Settings, launch: Launch, faults: str = "") -> Run:
    """Of such settings."""
    return Run(settings=settings, launch=launch, entry="ui.plain.entrance:run", draws=True, faults=faults)


def _words_of_plain(cwd: str) -> str:
    keys = "/help lists the commands, Ctrl-C stops the agent, Ctrl-D ends the session"
    return f"trouper {VERSION} in {first_frame.short(cwd)}: {keys}"


def _opener(settings: Settings) -> str:
    """For sign-ins to MCP servers; where there can be none nobody waits for it."""
    transports = {one.transport for one in settings.mcp} | {one.transport for one in settings.mcp_left_out}
    if transports <= {"stdio", ""}:
        return ""
    from ui.start import browser
    from ui.start.sign_in_terminal import beside_run

    return browser.opener(beside_run(settings, "open"))


def terminal_name(descriptor: int) -> str:
    """For people: another user's has none here, after su, nor has one that a container was given."""
    try:
        return os.ttyname(descriptor)
    except OSError:
        return "a terminal"


def _headless(options: argparse.Namespace, settings: Settings, launch: Launch, files: tuple[AttachedFile, ...]) -> int:
    if options.prompt:
        raise Usage(f'with -p there is one prompt; "{options.prompt[0]}" is too much. Put quotes around the prompt.')
    by = None if options.timeout is None else launch.began + options.timeout
    with deadline.until(by, "reading stdin, which did not end"):
        prompt = _prompt(options.headless)
    if prompt == options.headless.strip():  # not when something was piped in: then it is meant for a model
        _settle([options.headless], launch)
    words = HeadlessFront(
        prompt=prompt,
        typed=options.headless.strip() or prompt,
        prompt_id=uuid.uuid4().hex,
        files=files,
        output=options.output,
        began=launch.began,
        start_s=_start_s(options),
        timeout_s=options.timeout,
        trajectory=_trajectory(options.trajectory),
    )
    settings = msgspec.structs.replace(settings, front=encoded(words), background=options.background or "wait")
    return supervise(Run(settings=settings, launch=launch, entry="ui.headless.prompt:run"))


def _start_s(options: argparse.Namespace) -> float:
    """0: it may take any time."""
    return START_S if options.start_timeout is None else float(options.start_timeout)


def _late(options: argparse.Namespace, doing: str) -> int:
    """Nothing has begun, and whoever reads the output is told so in its form."""
    from ui.headless.one_answer import complain, printed
    from ui.headless.report import Tally, report_for

    text = f"time was up (--timeout, --start-timeout) while {doing}; the prompt was not sent."
    complain(text)
    if told := report_for(options.output).end(Tally(), "timeout", text):
        printed(told)
    return OF_TURN["timeout"]


def _trajectory(given: str | None) -> str:
    """Raises Usage: later is too late to say so."""
    if given is None:
        return ""
    path = Path(given).absolute()
    if path.is_dir() or (path.exists() and not path.is_file()):
        raise Usage(f"--trajectory {given}: that is no regular file.")
    if not os.access(path.parent, os.W_OK):
        raise Usage(f"--trajectory {given}: {path.parent} is no folder that can be written to.")
    return str(path)


def _settle(prompt: Sequence[str], launch: Launch) -> None:
    """On a terminal whoever is there says what was meant, and we may become that command. Raises Usage."""
    said = " ".join(prompt)
    if why := own_command(said):
        raise Usage(why)
    command, advice = mistaken_prompts.nearest(prompt), mistaken_prompts.advice(prompt)
    if not command and not advice:
        return
    shown = f"trouper {' '.join(command)}"
    if sys.stdin is None or not sys.stdin.isatty() or not sys.stderr.isatty():
        instead = f"Did you mean: {shown}?" if command else f"Here {advice}."
        raise Usage(
            f'"{said}" looks like a command, so no model was asked. {instead} '
            f"To send it as a prompt: echo {said} | trouper -p"
        )
    sys.stderr.write(f'trouper: "{said}" looks like a command: {shown if command else advice}\n')
    choices = "run that [y], send it to a model as a prompt [p], or neither [N]? "
    sys.stderr.write(f"         {choices if command else 'send it to a model as a prompt [p], or not [N]? '}")
    sys.stderr.flush()
    match sys.stdin.readline().strip().casefold():
        case "y" | "yes" if command:
            launch.become(command)
        case "p" | "prompt":
            return
        case _:
            raise Usage("nothing was sent.")


def _attached(options: argparse.Namespace) -> tuple[AttachedFile, ...]:
    """Raises Usage."""
    try:
        return look_at_all(map(Path, options.attach))
    except NotAttachable as error:
        raise Usage(f"--attach {error}") from error


def _prompt(given: str) -> str:
    """From the argument, from stdin, or both. Raises Usage."""
    piped = "" if sys.stdin is None or sys.stdin.isatty() else _read_stdin()
    prompt = "\n\n".join(part for part in (given.strip(), piped.strip()) if part)
    if not prompt:
        raise Usage("there is no prompt. Give one: trouper -p PROMPT, or pipe it in.")
    return prompt


def _read_stdin() -> str:
    """To its end; whoever left it open by mistake is told what we wait for."""
    if not select.select([sys.stdin], [], [], SILENCE_S)[0]:
        sys.stderr.write("trouper: reading stdin; close it or use </dev/null\n")
        sys.stderr.flush()
    return sys.stdin.buffer.read().decode(errors="replace")
