"""What a server asks while `trouper mcp call` runs, asked on the terminal: one line each."""

import sys

import trio

from actors.mailbox import Request
from actors.messages.tool import Choice, UserAnswered, UserAsked
from ui.common.harmless import sanitise
from ui.headless.stdout import say


async def answer(asked: UserAsked, request: Request) -> None:
    """Without a line (Ctrl-D) it is the answer that Esc gives."""
    for text in filter(None, (asked.title, asked.warning, asked.detail)):
        say(sanitise(text))
    for one in asked.choices:
        say(sanitise(f"  {one.key}  {one.label}{' (then what you have to say)' if one.takes_text else ''}"))
    line = await trio.to_thread.run_sync(sys.stdin.readline, abandon_on_cancel=True)
    request.reply(meant(asked, line))


def meant(asked: UserAsked, line: str) -> UserAnswered:
    """Nothing but Enter is the default; what is none of the choices is what Esc gives."""
    if not line:
        return UserAnswered(choice=asked.escape)
    key, _, text = line.strip().partition(" ")
    chosen = next((one for one in asked.choices if one.key == key), None)
    if chosen is None and (only := _takes_all(asked)):
        chosen, text = only, line.strip()
    if chosen is None:
        return UserAnswered(choice=asked.default if not line.strip() else asked.escape)
    return UserAnswered(choice=chosen.id, text=text.strip())


def _takes_all(asked: UserAsked) -> Choice | None:
    """Where one choice alone takes words, words without a key are for it."""
    taking = [one for one in asked.choices if one.takes_text and not one.refuses]
    return taking[0] if len(taking) == 1 else None
