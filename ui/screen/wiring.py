"""What commands may do, put together from the parts of the screen."""

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from actors.mailbox import Mailbox
from actors.messages.tool import UserAsked
from actors.settings.config import Settings
from ui.screen.actions import ScreenActions
from ui.screen.completion.popup import Popup
from ui.screen.completion.sources import Sources
from ui.screen.controls import Controls
from ui.screen.jobs.job_count import JobCount
from ui.screen.jobs.job_list import JobList
from ui.screen.paint import Painter
from ui.screen.questions.answers import Answers, Heard
from ui.screen.questions.choice_list import Ask
from ui.screen.reports.reports import Reports
from ui.screen.sending.outbox import Outbox
from ui.screen.servers.server_list import ServerList
from ui.screen.sessions.budget_view import BudgetView
from ui.screen.sessions.context_bar import ContextBar
from ui.screen.sessions.other_sessions import OtherSessions
from ui.screen.sessions.places import Places
from ui.screen.sessions.rewind import Rewinding
from ui.screen.sessions.session_list import SessionList
from ui.screen.shown import Shown
from ui.screen.subagents.agent_list import AgentList
from ui.screen.surroundings.session_name import SessionName
from ui.screen.switches.model_switch import ModelSwitch
from ui.screen.switches.modes import Modes
from ui.screen.switches.permission_list import PermissionList
from ui.screen.switches.theme_switch import ThemeSwitch


@dataclass(frozen=True, kw_only=True)
class Wires:
    """What the parts have in common."""

    mailbox: Mailbox
    agent: str
    settings: Settings
    opener: str
    """Of a browser, a command; see Front."""
    start: Callable[..., None]
    """A task: its function and arguments."""
    say: Callable[..., None]
    """text, level."""
    ask: Ask
    answers: Answers
    leave: Callable[[], None]
    """Unless the user stays for what works in the background."""
    painter: Painter
    controls: Controls
    shown: Shown
    session_id: Callable[[], Awaitable[str]]
    """Once it is known."""
    outbox: Outbox
    model_switch: ModelSwitch
    modes: Modes
    permission_list: PermissionList
    session_name: SessionName
    theme_switch: ThemeSwitch


def add_popup(wires: Wires) -> None:
    def told() -> None:
        popup.renew()
        wires.painter.poke()

    sources = Sources(wires.mailbox, wires.settings, wires.shown, wires.start, told)
    popup = Popup(wires.controls.editor, sources)
    wires.controls.layers.append(popup)
    wires.controls.complete = popup.complete


def actions_of(wires: Wires) -> ScreenActions:
    mailbox, agent, ask, say = wires.mailbox, wires.agent, wires.ask, wires.say
    own, editor, outbox = wires.shown.own, wires.controls.editor, wires.outbox
    add_popup(wires)
    places = Places(mailbox, agent, wires.session_id, editor, ask, say, typed=outbox.drafts.poke)
    return ScreenActions(
        start=wires.start,
        say=say,
        poke=wires.painter.poke,
        send=outbox.send,
        leave=wires.leave,
        settings=wires.settings,
        session=own,
        editor=editor,
        keys=wires.controls.keys,
        prompts=outbox.prompts,
        model_switch=wires.model_switch,
        modes=wires.modes,
        permission_list=wires.permission_list,
        places=places,
        rewinding=Rewinding(mailbox, agent, places, ask, say),
        other_sessions=_other_sessions(wires),
        compaction=outbox.compaction,
        session_name=wires.session_name,
        context_bar=ContextBar(mailbox, agent, own, say),
        agents=AgentList(wires.shown, outbox.onlooking, ask, say),
        jobs=_jobs(wires),
        budget_view=BudgetView(mailbox, agent, say),
        servers=_servers(wires),
        reports=_reports(wires),
        theme_switch=wires.theme_switch,
    )


def _other_sessions(wires: Wires) -> OtherSessions:
    poke = wires.painter.poke

    @contextmanager
    def shown(question: UserAsked) -> Iterator[Heard]:
        try:
            with wires.answers.listing(question) as heard:
                poke()
                yield heard
        finally:
            poke()

    def renew(question: UserAsked) -> None:
        wires.controls.questions.renew(question)
        poke()

    listing = SessionList(wires.mailbox, shown, renew, lambda: wires.shown.own.session_id, wires.say)
    common = wires.mailbox, wires.agent, wires.settings, wires.session_id, wires.ask, wires.say
    return OtherSessions(*common, listing, wires.painter.to_clipboard)


def _reports(wires: Wires) -> Reports:
    return Reports(
        wires.mailbox,
        wires.agent,
        wires.settings,
        wires.shown.own,
        wires.session_id,
        ask=wires.ask,
        say=wires.say,
        show=wires.painter.show,
        start=wires.start,
        to_clipboard=wires.painter.to_clipboard,
    )


def _jobs(wires: Wires) -> JobList:
    mailbox, agent, own = wires.mailbox, wires.agent, wires.shown.own
    again = bool(own.last_seen)
    count = JobCount(mailbox, agent, own, wires.say, wires.painter.poke, start=wires.start, again=again)
    return JobList(mailbox, agent, count, wires.ask, wires.say, wires.painter.show)


def _servers(wires: Wires) -> ServerList:
    return ServerList(
        wires.mailbox,
        wires.settings,
        wires.opener,
        ask=wires.ask,
        renew=wires.controls.questions.renew,
        say=wires.say,
        show=wires.shown.say,
        give_back=wires.outbox.prompts.give_back,
    )
