"""More states for the stored screens: what is chosen from, and what the program itself says."""

from collections.abc import Callable, Sequence
from pathlib import Path

from actors.messages.auth import Credential, Credentials, OtherProgram, Programs
from actors.messages.job import JobIs
from actors.messages.model import ListedModel, ModelFacts, Models, TextDelta
from actors.messages.turn import Event
from actors.settings.config import Settings
from tests.ui.screen.samples import ASKED, INFO, entries
from tests.ui.screen.states import Known
from ui.screen.completion.popup import Popup
from ui.screen.composer.keymap import DEFAULTS
from ui.screen.controls import Controls
from ui.screen.first_start import access, guide, offers
from ui.screen.help_text import help_text
from ui.screen.jobs import words
from ui.screen.keyboard.key_text import key_text
from ui.screen.questions import browser_sign_in, choice_list
from ui.screen.session_view import SessionView
from ui.screen.switches.theme_picker import ThemePicker
from ui.screen.terminal.keys import Key, Paste
from ui.screen.terminal.keys import Text as Typed
from ui.screen.terminal.theme import Theme
from ui.screen.terminal.themes.built_in import LOOKS
from ui.screen.terminal.wardrobe import Wardrobe
from ui.screen.transcript.blocks import Address, Note

HOME = Path("/home/me/.trouper")
FOUND = offers.of(
    Credentials(credentials=(Credential(provider="groq", kind="key", place="GROQ_API_KEY"),)),
    Models(models=(ListedModel(model="ollama/qwen3-coder", facts=ModelFacts(), usable=True),)),
    Programs(programs=(OtherProgram(program="gh", place="/usr/bin/gh"),)),
)
JOBS = (
    JobIs(id="job-1", line="npm run dev", seconds=754, printed=2310, ports=(3000, 3001)),
    JobIs(id="job-2", line="cargo build --release", seconds=61, printed=0, ended="exit 101"),
)


def first_start(session: SessionView, controls: Controls) -> list[Event]:  # noqa: ARG001
    """A key in the environment, a server that answers, a sign-in of another program."""
    controls.questions.add(choice_list.question(guide.TITLE, [offer.row for offer in FOUND]))
    return []


def pasting_a_key(session: SessionView, controls: Controls) -> list[Event]:  # noqa: ARG001
    """It is seen as dots."""
    controls.questions.add(access.key_question("anthropic"))
    return []


def signing_in(session: SessionView, controls: Controls) -> list[Event]:
    """By a code, which is typed elsewhere."""
    session.say(Note("Type this code at github.com/login/device."))
    session.say(Note("code: WXYZ-9876"))
    session.say(Address("https://github.com/login/device?user_code=WXYZ-9876&skip_account_picker=true&from=trouper"))
    controls.questions.add(browser_sign_in.question("copilot", by_code=True))
    return []


def choosing_a_job(session: SessionView, controls: Controls) -> list[Event]:
    session.jobs = 1
    controls.questions.add(choice_list.question("Which job?", words.in_list(JOBS)))
    return [INFO, *entries(ASKED), TextDelta(text="It comes from **two** places:")]


def asking_about_a_job(session: SessionView, controls: Controls) -> list[Event]:
    session.jobs = 1
    session.say(words.Printed(JOBS[1]))
    controls.questions.add(words.question(JOBS[0]))
    return [INFO]


def choosing_a_theme(session: SessionView, controls: Controls) -> list[Event]:  # noqa: ARG001
    """With a sample of what is marked."""
    picker = ThemePicker(Wardrobe(Theme(), HOME), lambda _: None)
    controls.layers.append(picker)
    picker.show(LOOKS)
    return [INFO]


def keys_said(session: SessionView, controls: Controls) -> list[Event]:  # noqa: ARG001
    session.say(Note(key_text(DEFAULTS, HOME)))
    return [INFO]


def help_said(session: SessionView, controls: Controls) -> list[Event]:  # noqa: ARG001
    session.say(Note(help_text(Settings(home=str(HOME), cwd="/w", session_id="s", run_id="r"))))
    return [INFO]


def popup_of_arguments(session: SessionView, controls: Controls) -> list[Event]:  # noqa: ARG001
    controls.layers.append(Popup(controls.editor, Known()))
    return [INFO]


def mistyped(session: SessionView, controls: Controls) -> list[Event]:
    """The line is there again, marked: what is typed takes its place."""
    session.say(Note("there is no /modle; did you mean /model?", "warning"))
    controls.editor.mark("/modle sonnet")
    return [INFO]


def pasted(session: SessionView, controls: Controls) -> list[Event]:  # noqa: ARG001
    """In the middle of a draft: it is one sign."""
    return [INFO]


def about_to_leave(session: SessionView, controls: Controls) -> list[Event]:  # noqa: ARG001
    """Ctrl-C was pressed once."""
    return [INFO]


CHOSEN: tuple[Callable[[SessionView, Controls], list[Event]], ...] = (
    *(first_start, pasting_a_key, signing_in, choosing_a_job, asking_about_a_job, choosing_a_theme, keys_said),
    *(help_said, popup_of_arguments, mistyped, pasted, about_to_leave),
)
KEYS: dict[str, Sequence[Key | Typed | Paste]] = {
    "first_start": (Key("down"),),
    "pasting_a_key": (Typed("k"), Paste("sk-never-shown")),
    "choosing_a_job": (Typed("npm"),),
    "choosing_a_theme": (Key("down"), Key("down")),
    "popup_of_arguments": (Typed("/"), Typed("mode"), Key("tab"), Typed("p")),
    "pasted": (Typed("see "), Paste("line\n" * 120), Typed(" and 世界"), Key("ctrl+j"), Typed("then say why")),
    "about_to_leave": (Typed("a draft"), Key("ctrl+c")),
}
