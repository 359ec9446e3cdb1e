"""`!cmd` goes to the agent, which runs it beside its turns; what comes of it the session says."""

from actors.errors import Failed
from actors.messages.base import Done
from actors.messages.turn import RunShell
from ui.screen.intents import Send, Shell
from ui.screen.sending.prompts import Prompts
from ui.screen.shown import Shown

ELSEWHERE = "commands run in the own session only: esc leads back to it. Nothing was run."
READ_ONLY = "this session is only looked at here, so nothing was run: {why}"


async def run(prompts: Prompts, shown: Shown, intent: Shell, shell_id: str) -> None:
    """What cannot be run comes back into the composer."""
    if why := _refusal(shown):
        _give_back(prompts, intent)
        prompts.say(why, "warning")
        return
    try:
        wanted = RunShell(id=shell_id, command=intent.command, told=intent.told)
        await prompts.mailbox.insist(prompts.agent, wanted, Done)
    except Failed as error:
        _give_back(prompts, intent)
        prompts.say(str(error), "error")


def _refusal(shown: Shown) -> str:
    if shown.other is not None:
        return ELSEWHERE
    return READ_ONLY.format(why=shown.own.read_only) if shown.own.read_only else ""


def _give_back(prompts: Prompts, intent: Shell) -> None:
    if not prompts.editor.text:
        prompts.give_back(Send(intent.text, draft=intent.draft))
