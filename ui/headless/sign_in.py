"""The front of `trouper auth login` and `mcp login`: shows what to do, takes a pasted address, and gives up on Esc."""

import os
import termios
from collections.abc import Callable
from contextlib import suppress

import trio

from actors.errors import Failed
from actors.mailbox import Mailbox
from actors.messages.auth import GiveRedirect, LoggedIn, LogIn, LogInStep
from actors.messages.base import Done
from ui.common.exit_codes import DONE, INTERRUPTED
from ui.common.harmless import one_line, sanitise
from ui.headless.one_answer import complain
from ui.headless.stdout import say, write
from ui.start.browser import open_in_browser

STDIN = 0
ESCAPE = b"\x1b"
LONGEST_LINE = 16 * 1024


async def run(mailbox: Mailbox, wanted: LogIn, opener: str, to: str = "providers") -> int:
    """opener: the pipe of ui.start.browser, "" for none. to: the actor. Returns the exit code. Raises Failed."""
    failure: Failed | None = None
    code = INTERRUPTED
    begun = trio.Event()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(_listen, mailbox, wanted, to, begun, nursery.cancel_scope.cancel)
        try:
            await _follow(mailbox, wanted, to, opener, begun)
            code = DONE
        except Failed as error:
            failure = error
        nursery.cancel_scope.cancel()
    if failure is not None:
        raise failure
    if code == INTERRUPTED:
        complain("given up; nothing was kept.")
    return code


async def _follow(mailbox: Mailbox, wanted: LogIn, to: str, opener: str, begun: trio.Event) -> None:
    async with mailbox.stream(to, wanted) as stream:
        async for step in stream:
            if isinstance(step, LogInStep):
                _show(step, opener)
                if step.url:
                    begun.set()
        logged_in = await stream.result(LoggedIn)
    account = f" as {one_line(logged_in.account)}" if logged_in.account else ""
    await write(f"signed in to {wanted.provider}{account}\n")
    if logged_in.hidden_by:
        complain(f"{logged_in.hidden_by} is set and counts more; unset it to use this.")


def _show(step: LogInStep, opener: str) -> None:
    say(sanitise(step.text))
    if step.url:
        opened = open_in_browser(opener, step.url)
        say(f"\n  {sanitise(step.url)}\n")
        if opened:
            say("Your browser should open it now.")
    if step.code:
        say(f"  code: {one_line(step.code)}\n")
    if (step.url or step.code) and _has_keys():
        say("Esc gives up.")


async def _listen(mailbox: Mailbox, wanted: LogIn, to: str, begun: trio.Event, give_up: Callable[[], None]) -> None:
    """Lines from the terminal or a pipe. A terminal does not show them: an address has a secret in it.

    Those that come before there is an address to go to wait for it; with a code nobody waits for any.
    """
    _quiet()
    line = b""
    with suppress(OSError):  # nothing to wait for: a file, /dev/null
        while True:
            await trio.lowlevel.wait_readable(STDIN)
            data = os.read(STDIN, 4096)
            if data == ESCAPE and os.isatty(STDIN):
                give_up()
            if not data or data == ESCAPE:
                return
            *whole, line = (line + data).split(b"\n")
            for one in whole:
                if wanted.method == "browser":
                    await begun.wait()
                    await _paste(mailbox, to, wanted.provider, one.decode(errors="replace").strip())
            line = line[-LONGEST_LINE:]


async def _paste(mailbox: Mailbox, to: str, provider: str, text: str) -> None:
    if not text:
        return
    try:
        await mailbox.ask(to, GiveRedirect(provider=provider, url=text), Done)
    except Failed as error:
        complain(str(error))


def _has_keys() -> bool:
    return os.isatty(STDIN) and os.isatty(1)


def _quiet() -> None:
    """Keys come at once and are not shown; Ctrl-C still works. The launcher puts it right again at the end."""
    if not _has_keys():
        return
    attributes = termios.tcgetattr(STDIN)
    attributes[3] &= ~(termios.ICANON | termios.ECHO)
    termios.tcsetattr(STDIN, termios.TCSANOW, attributes)
