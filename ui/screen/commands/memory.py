"""/init, /remember, /memory, /attach: what the model is told in every session, and what goes with the next prompt."""

from pathlib import Path

from actors.common.small_files import read_regular
from actors.texts import memory
from actors.texts.memory import NotRemembered
from ui.screen.commands.base import Actions, Command, Misused

WRITE_INSTRUCTIONS = """\
Look at this repository and write AGENTS.md at its top: what somebody who changes code here has to know and cannot see \
at a glance. How it is built, how all tests and a single one are run, how it is checked, where what lives and why, and \
the conventions that the code really keeps; take them from the code, its configuration and its documentation, and try \
commands before you write them down. Leave out what any project has and what a look at the files says. At most a \
page. Where there is an AGENTS.md already, improve it and keep what is true.\
"""


def run_init(actions: Actions, argument: str) -> None:
    wishes = f"\n\nThe user adds: {argument}" if argument else ""
    actions.prompt(f"{WRITE_INSTRUCTIONS}{wishes}")


def run_remember(actions: Actions, argument: str) -> None:
    if not argument:
        raise Misused("what? /remember TEXT")
    try:
        memory.add(Path(actions.settings.home), argument)
    except NotRemembered as why:
        actions.say(str(why), "error")
    else:
        actions.say(f"remembered in {memory.file(Path(actions.settings.home))}; the model is told with the next prompt")


def run_memory(actions: Actions, argument: str) -> None:
    if argument:
        raise Misused("/memory takes nothing: /remember TEXT adds to it")
    actions.say(_shown(memory.file(Path(actions.settings.home))))


def _shown(path: Path) -> str:
    try:
        text = read_regular(path, memory.MOST).decode(errors="replace").strip()
    except FileNotFoundError:
        text = ""
    except OSError as error:
        return f"{path} cannot be read: {error.strerror or error}"
    how = f"{path}: it is yours to edit; /remember TEXT adds a line"
    return f"{text}\n\n{how}" if text else f"nothing is remembered. {how}"


def run_attach(actions: Actions, argument: str) -> None:
    if argument:
        actions.attach(argument)
    else:
        actions.attach_clipboard()


INIT = Command("init", "[WISHES]", "the model writes AGENTS.md, what it is to know of this repository", run_init)
REMEMBER = Command("remember", "TEXT", "the model is told this in every session from now on", run_remember)
MEMORY = Command("memory", "", "what the model is told in every session, and where that is written", run_memory)
ATTACH = Command(
    "attach", "[FILE]", "an image or a PDF for the next prompt; alone: the image in the clipboard", run_attach
)
