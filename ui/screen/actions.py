"""What slash commands and a few keys have the screen do; what takes its time is a task of its own."""

import uuid
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from actors.errors import Failed
from actors.messages.mcp import ServerIs
from actors.messages.tool import Mode
from actors.settings.config import Settings
from ui.common.attached_files import NotAttachable, named
from ui.screen.composer.editor import Editor
from ui.screen.composer.keymap import KeyMap
from ui.screen.help_text import help_text
from ui.screen.intents import Send
from ui.screen.jobs.job_list import JobList
from ui.screen.reports.reports import Reports
from ui.screen.sending.prompts import Prompts
from ui.screen.servers.server_list import ServerList
from ui.screen.session_view import SessionView
from ui.screen.sessions.budget_view import BudgetView
from ui.screen.sessions.compaction import Compaction
from ui.screen.sessions.context_bar import ContextBar
from ui.screen.sessions.other_sessions import OtherSessions
from ui.screen.sessions.places import Places
from ui.screen.sessions.rewind import Rewinding
from ui.screen.subagents.agent_list import AgentList
from ui.screen.surroundings.session_name import SessionName
from ui.screen.switches.model_switch import ModelSwitch
from ui.screen.switches.modes import Modes
from ui.screen.switches.permission_list import PermissionList
from ui.screen.switches.theme_switch import ThemeSwitch


@dataclass(frozen=True)
class ScreenActions:
    """The screen, as commands see it."""

    start: Callable[..., None]
    """A task: its function and arguments."""
    say: Callable[..., None]
    """text, level."""
    poke: Callable[[], None]
    """Something on the screen has changed."""
    send: Callable[[Send, str], None]
    """intent, prompt_id."""
    leave: Callable[[], None]
    """Unless the user stays for what works in the background."""
    settings: Settings
    session: SessionView
    editor: Editor
    keys: KeyMap
    prompts: Prompts
    model_switch: ModelSwitch
    modes: Modes
    permission_list: PermissionList
    places: Places
    rewinding: Rewinding
    other_sessions: OtherSessions
    compaction: Compaction
    session_name: SessionName
    context_bar: ContextBar
    agents: AgentList
    jobs: JobList
    budget_view: BudgetView
    servers: ServerList
    reports: Reports
    theme_switch: ThemeSwitch

    def show_help(self) -> None:
        if self.settings.mcp or self.settings.mcp_left_out:
            self.start(self._help)
        else:
            self.say(help_text(self.settings, self.keys))

    async def _help(self) -> None:
        """With what servers have, as far as the gate knows it."""
        from ui.common.mcp import quoting

        servers: tuple[ServerIs, ...] = ()
        with suppress(Failed):
            servers = await quoting.servers(self.prompts.mailbox)
        self.say(help_text(self.settings, self.keys, servers))

    def show_keys(self) -> None:
        from ui.screen.keyboard.key_text import key_text  # with the tables of all places, also those that few open

        self.say(key_text(self.keys, Path(self.settings.home)))

    def attach(self, text: str) -> None:
        try:
            for file in named(text, Path(self.settings.cwd)):
                self.editor.attach(file)
        except NotAttachable as error:
            self.say(str(error), "error")

    def attach_clipboard(self) -> None:
        self.start(self._attach_clipboard)

    async def _attach_clipboard(self) -> None:
        from ui.common import clipboard_image  # only who has one waits for it

        try:
            self.editor.attach(await clipboard_image.taken(Path(self.settings.home) / "pasted"))
        except NotAttachable as error:
            self.say(str(error), "warning")
        self.poke()

    def set_theme(self, name: str) -> None:
        self.theme_switch.choose(name)

    def offer_themes(self) -> None:
        self.theme_switch.offer()

    def set_model(self, model: str, effort: str | None) -> None:
        self.start(self.model_switch.set, model, effort)

    def offer_models(self, wanted: str) -> None:
        self.start(self.model_switch.offer, wanted)

    def offer_efforts(self) -> None:
        self.start(self.model_switch.offer_efforts, self.session.name)

    def set_mode(self, mode: Mode) -> None:
        self.start(self.modes.set, mode)

    def cycle_mode(self) -> None:
        self.start(self._cycle_mode)

    async def _cycle_mode(self) -> None:
        await self.modes.cycle()
        self.poke()

    def toggle_plan(self) -> None:
        self.start(self.modes.toggle_plan)

    def research(self, question: str) -> None:
        self.start(self._research, question)

    async def _research(self, question: str) -> None:
        there = self.session.mode == "research"
        if there and not question:
            await self.modes.leave_research()
        elif not (there or await self.modes.set("research")):
            self.prompts.give_back(Send(f"/ask {question}"))
        elif question:
            self.prompt(question)

    def bring_back(self, line: str) -> None:
        if not self.editor.text:  # a key may have run it, beside a draft
            self.editor.mark(line)

    def prompt(self, text: str) -> None:
        self.send(Send(text), uuid.uuid4().hex)

    def show_rules(self) -> None:
        self.start(self.permission_list.show)

    def forget_rule(self, which: str) -> None:
        self.start(self.permission_list.forget, which)

    def go_to(self, which: str) -> None:
        self.start(self.places.go, which)

    def label_place(self, text: str) -> None:
        self.start(self.places.label, text)

    def fork(self) -> None:
        self.start(self.places.fork)

    def rewind(self) -> None:
        self.start(self.rewinding.to_a_prompt)

    def undo_rewind(self) -> None:
        self.start(self.rewinding.undo)

    def resume(self, which: str) -> None:
        self.start(self.other_sessions.resume, which)

    def take_over(self) -> None:
        if self.session.read_only:
            self.start(self.other_sessions.take_over)
        else:
            self.say("this session is open here already", "info")

    def choose_agent(self) -> None:
        self.start(self.agents.choose)

    def look_at_agent(self, name: str) -> None:
        self.start(self.agents.look_at, name)

    def tell_agent(self, name: str, text: str) -> None:
        self.start(self.agents.tell, name, text)

    def do_with_agent(self, what: str, name: str) -> None:
        self.start({"cancel": self.agents.cancel, "merge": self.agents.merge, "resume": self.agents.resume}[what], name)

    def choose_job(self) -> None:
        self.start(self.jobs.choose)

    def do_with_job(self, what: str, which: str) -> None:
        self.start(self.jobs.do, what, which)

    def choose_server(self) -> None:
        self.start(self.servers.choose)

    def look_at_server(self, name: str) -> None:
        self.start(self.servers.look_at, name)

    def do_with_server(self, what: str, name: str) -> None:
        self.start(self.servers.do, what, name)

    def begin_session(self, prompt: str) -> None:
        self.start(self._begin_session, prompt)

    async def _begin_session(self, prompt: str) -> None:
        if not await self.other_sessions.begin():
            self.prompts.give_back(Send(f"/new {prompt}".strip()))
        elif prompt:
            self.prompt(prompt)

    def name_session(self, text: str) -> None:
        self.start(self._name_session, text)

    async def _name_session(self, text: str) -> None:
        await self.other_sessions.name(text)
        await self.session_name.look()

    def show_context(self) -> None:
        self.start(self._show_context)

    async def _show_context(self) -> None:
        await self.context_bar.show()
        self.poke()

    def show_budget(self) -> None:
        self.start(self._budget, None)

    def raise_budget(self, usd: float) -> None:
        self.start(self._budget, usd)

    async def _budget(self, more: float | None) -> None:
        await (self.budget_view.show() if more is None else self.budget_view.more(more))
        self.poke()

    def compact(self, wishes: str) -> None:
        self.start(self.compaction.run, wishes)
