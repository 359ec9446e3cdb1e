"""`trouper auth`: API keys and sign-ins. A key is never an argument: those are for all to see."""

import argparse
import difflib
import getpass
import os
import sys
import time
from collections.abc import Collection, Sequence
from functools import partial
from typing import Literal

import msgspec

from actors.mailbox import Mailbox
from actors.messages.auth import (
    PROGRAMS,
    Credential,
    Credentials,
    FindPrograms,
    KeyKept,
    ListCredentials,
    LoggedOut,
    LogIn,
    LogOut,
    Program,
    Programs,
    SetKey,
    TakenOver,
    TakeOver,
)
from actors.settings import sign_ins
from actors.settings.config import PROVIDERS, Settings
from ui.cli.arguments import Parser, without_common
from ui.common import json_text
from ui.common.exit_codes import DONE, FAILED
from ui.common.harmless import one_line
from ui.common.usage_errors import Usage
from ui.headless import one_answer, sign_in
from ui.headless.one_answer import complain
from ui.headless.stdout import write
from ui.start import browser, session_settings
from ui.start.fronts import encoded
from ui.start.launch_state import Launch
from ui.start.session_run import Run, supervise
from ui.start.sign_in_terminal import beside_run, take_care_of_terminal

EXAMPLES = """
examples:
  trouper auth set anthropic             asks for the key without showing it
  pass show openai | trouper auth set openai
  trouper auth login codex               with your ChatGPT plan, in your browser
  trouper auth login codex --device      by a code, when the browser is on another machine
  trouper auth login copilot             with your GitHub account
  trouper auth login openrouter          OpenRouter makes a key for this program
  trouper auth import                    which other programs have sign-ins here: OpenCode, GitHub CLI, Copilot
  trouper auth import opencode           uses what OpenCode keeps; nothing is read before you say so
  trouper auth list                      what is used, and where it is; never the key itself
  trouper auth logout codex

Keys are kept in the system's keyring where there is one, else in ~/.trouper/auth.json, which only you can read.
A key in the environment (ANTHROPIC_API_KEY, OPENAI_API_KEY, ...) always counts more.
exit codes: 0 done, 1 failed, 2 usage, 130 given up
"""
LONGEST_KEY = 4096


class Wanted(msgspec.Struct, frozen=True, kw_only=True):
    """Settings.front of this command. No key is in it: every actor gets it."""

    what: Literal["set", "login", "import", "list", "logout"]
    provider: str = ""
    program: Program | None = None
    """Whose sign-ins are taken over; None: which there are."""
    device: bool = False
    json: bool = False
    opener: str = ""
    """The pipe through which a browser is opened; "" for none."""


def main(arguments: Sequence[str], launch: Launch) -> int:
    """Returns the exit code. Raises Usage and BadConfiguration."""
    options = parser().parse_args(arguments)
    settings = session_settings.prepare(options, launch)
    wanted = Wanted(
        what=options.what,
        provider=getattr(options, "provider", ""),
        program=getattr(options, "program", None),
        json=getattr(options, "json", False),
    )
    if wanted.what == "set":
        _check_name(options.provider, {*PROVIDERS, *settings.providers})
        _hand_over(_read_key(options.provider, from_stdin=options.stdin == "-"))
    elif wanted.what == "login":
        _check_sign_in(options.provider, {*PROVIDERS, *settings.providers})
        wanted = msgspec.structs.replace(
            wanted, device=options.device, opener=browser.opener(beside_run(settings, "open"))
        )
        take_care_of_terminal(settings, launch)
    settings = msgspec.structs.replace(settings, front=encoded(wanted))
    actors = ("providers", "ui")
    return supervise(
        Run(settings=settings, launch=launch, entry="ui.cli.subcommands.auth:run", actors=actors, main_agent=False)
    )


async def run(mailbox: Mailbox, settings: Settings) -> None:
    """The front."""
    wanted = msgspec.msgpack.decode(settings.front, type=Wanted)
    await one_answer.run(mailbox, partial(_answer, mailbox, wanted))


async def _answer(mailbox: Mailbox, wanted: Wanted) -> int:
    match wanted.what:
        case "set":
            return await _set(mailbox, wanted.provider)
        case "login":
            method: Literal["browser", "device"] = "device" if wanted.device else "browser"
            return await sign_in.run(mailbox, LogIn(provider=wanted.provider, method=method), wanted.opener)
        case "import":
            return await (_take_over(mailbox, wanted.program) if wanted.program else _list_programs(mailbox))
        case "list":
            await _list(await mailbox.insist("providers", ListCredentials(), Credentials), wanted)
            if os.isatty(1) and not wanted.json:
                await _mention_programs(mailbox)
        case "logout":
            await _log_out(mailbox, wanted.provider)
    return DONE


async def _set(mailbox: Mailbox, provider: str) -> int:
    with os.fdopen(0, "rb", closefd=False) as handed_over:
        key = handed_over.read().decode()
    if not key:
        complain("the key is lost: this part was restarted. Try again.")
        return FAILED
    kept = await mailbox.insist("providers", SetKey(provider=provider, key=key), KeyKept)
    await write(f"the key for {provider} is in {one_line(kept.place)}\n")
    if kept.hidden_by:
        complain(f"{kept.hidden_by} is set and counts more; unset it to use this key.")
    return DONE


async def _list_programs(mailbox: Mailbox) -> int:
    found = await mailbox.insist("providers", FindPrograms(), Programs)
    for one in found.programs:
        await write(f"{one.program.ljust(len('opencode'))}  {one_line(one.place)}\n")
    if not found.programs:
        complain("OpenCode, GitHub CLI and Copilot's editors have no sign-ins here.")
        return FAILED
    complain("none of it was read. To use one here as well: trouper auth import PROGRAM")
    return DONE


async def _mention_programs(mailbox: Mailbox) -> None:
    found = await mailbox.insist("providers", FindPrograms(), Programs)
    if names := ", ".join(one.program for one in found.programs):
        await write(f"other programs with sign-ins here: {names}; to use them: trouper auth import PROGRAM\n")


async def _take_over(mailbox: Mailbox, program: Program) -> int:
    taken = await mailbox.insist("providers", TakeOver(program=program), TakenOver)
    if taken.note:
        complain(taken.note)
    for why in taken.left_out:
        complain(f"left out: {one_line(why)}")
    if not taken.providers:
        complain("nothing was taken over.")
        return FAILED
    await write(f"kept here as well: {', '.join(taken.providers)}\n")
    return DONE


async def _log_out(mailbox: Mailbox, provider: str) -> None:
    done = await mailbox.ask("providers", LogOut(provider=provider), LoggedOut)
    await write(f"{provider} is forgotten\n" if done.forgotten else f"nothing was kept for {one_line(provider)}\n")
    if done.note:
        complain(f"The service could not be told: {done.note}")
    if done.still_in:
        complain(f"{done.still_in} still holds a key for it.")


async def _list(found: Credentials, wanted: Wanted) -> None:
    if wanted.json:
        await write(json_text.pretty(found.credentials))
        return
    width = max((len(credential.provider) for credential in found.credentials), default=0)
    await write("".join(_row(credential, width) for credential in found.credentials))
    if not found.credentials:
        complain("there are no keys and no sign-ins yet. Keep a key: trouper auth set PROVIDER")
    elif found.missing and os.isatty(1):
        await write(f"\nwithout one: {', '.join(found.missing)}\n")


def _row(credential: Credential, width: int) -> str:
    parts = [credential.provider.ljust(width), credential.kind.ljust(len("sign-in")), credential.place]
    if credential.account:
        parts.append(credential.account)
    if credential.expires_at is not None:
        parts.append(_end(credential.expires_at))
    if credential.also:
        parts.append(f"(not used: {', '.join(credential.also)})")
    return one_line("  ".join(parts)) + "\n"


def _end(at: float) -> str:
    if at <= time.time():
        return "has ended: sign in again"
    try:
        return time.strftime("ends %Y-%m-%d %H:%M", time.localtime(at))
    except (OverflowError, ValueError, OSError):  # no date that a calendar has
        return "does not end"


def _read_key(provider: str, *, from_stdin: bool) -> str:
    """Raises Usage."""
    try:
        asked = not from_stdin and sys.stdin.isatty()
        text = getpass.getpass(f"API key for {provider}: ") if asked else sys.stdin.read(LONGEST_KEY + 2)
    except (EOFError, UnicodeDecodeError):
        text = ""
    key = text.strip()
    if not key:
        raise Usage("no key was given; nothing has changed.")
    if len(key) > LONGEST_KEY or not (key.isascii() and key.isprintable()) or " " in key:
        raise Usage("that cannot be an API key: it is too long, or has spaces or odd characters; nothing has changed.")
    return key


def _hand_over(key: str) -> None:
    """As our standard input, which the front alone reads: not by an argument, a file or the settings of all actors."""
    reading, writing = os.pipe()
    os.write(writing, key.encode())
    os.close(writing)
    os.dup2(reading, 0)
    os.close(reading)


def _check_name(provider: str, known: Collection[str]) -> None:
    """Raises Usage."""
    if provider not in known:
        near = difflib.get_close_matches(provider, sorted(known), n=1)
        hint = f"Did you mean {near[0]}?" if near else f"Known are: {', '.join(sorted(known))}."
        raise Usage(f'no provider is named "{provider}". {hint}')


def _check_sign_in(provider: str, known: Collection[str]) -> None:
    """Raises Usage."""
    if provider not in sign_ins.ALL:
        _check_name(provider, known)
        only = ", ".join(sign_ins.ALL)
        raise Usage(f'there is no sign-in for "{provider}" (only {only}). Keep a key: trouper auth set {provider}')


def parser() -> argparse.ArgumentParser:
    raw = argparse.RawDescriptionHelpFormatter
    made = Parser(
        prog="trouper auth",
        description="API keys and sign-ins of model services.",
        epilog=EXAMPLES,
        formatter_class=raw,
    )
    without_common(made)
    what = made.add_subparsers(dest="what", required=True, metavar="set|login|import|list|logout")
    keep = what.add_parser("set", help="keep an API key")
    login = what.add_parser("login", help=f"sign in: {', '.join(sign_ins.ALL)}")
    login.add_argument("--device", action="store_true", help="by a code, without a browser on this machine")
    taking = what.add_parser("import", help=f"use another program's sign-ins: {', '.join(PROGRAMS)}")
    taking.add_argument("program", nargs="?", choices=PROGRAMS, metavar="PROGRAM", help="without it: which there are")
    listing = what.add_parser("list", help="what is used, and where it is kept")
    listing.add_argument("--json", action="store_true", help="all that is known of each")
    logout = what.add_parser("logout", help="forget a key or a sign-in")
    login.add_argument("provider", metavar="|".join(sign_ins.ALL))
    for one in (keep, logout):
        one.add_argument("provider", metavar="PROVIDER", help="such as anthropic; a wrong name is answered with all")
    keep.add_argument("stdin", metavar="-", nargs="?", choices=("-",), help="read it from stdin, as a pipe is anyway")
    return made
