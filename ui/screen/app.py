"""The actor that is the screen: what the agent says goes into the view, what the user types goes out as intents.

Every wait is a task of its own, so that neither a busy agent nor a stopped terminal keeps an Esc waiting.
"""

import os
import time
import uuid
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path

import trio

from actors.errors import Failed, UnexpectedMessage
from actors.mailbox import Mailbox, Request
from actors.messages.base import Message
from actors.messages.mcp import ServerChanged
from actors.messages.system import ActorGivenUp, ActorRestarted, Signalled
from actors.messages.tool import ModeIs, SandboxIs, SandboxUnasked, UserAnswered, UserAsked
from actors.messages.turn import Notice
from actors.settings import brought
from actors.settings.config import Settings
from supervisor.terminal import Geometry, GeometryFile
from ui.common import harmless
from ui.screen.actions import ScreenActions
from ui.screen.commands import dispatch
from ui.screen.composer import history
from ui.screen.composer.history import History
from ui.screen.controls import Controls
from ui.screen.first_start.first_model import FirstModel
from ui.screen.first_start.ports import Ports
from ui.screen.following import Following
from ui.screen.hand_back import HandBack
from ui.screen.intents import (
    Command,
    CycleMode,
    EditOutside,
    GoBack,
    Intent,
    Interrupt,
    Leave,
    OpenPager,
    Repaint,
    Send,
    Shell,
    Suspend,
    TakeBack,
)
from ui.screen.keyboard import user_keys
from ui.screen.live import Scene
from ui.screen.pager.door import PagerDoor
from ui.screen.paint import Canvas, Painter, ends_of_terminal
from ui.screen.questions.answers import Answers
from ui.screen.questions.queue import Answer
from ui.screen.questions.session_keys import Wish
from ui.screen.sending.drafts import Drafts
from ui.screen.sending.outbox import Outbox
from ui.screen.sending.outside_editor import OutsideEditor
from ui.screen.sending.prompts import Prompts
from ui.screen.session_view import SessionView
from ui.screen.sessions.compaction import Compaction
from ui.screen.shown import Shown
from ui.screen.subagents.leaving import Leaving
from ui.screen.subagents.onlooking import Onlooking
from ui.screen.subagents.orders import Orders
from ui.screen.surroundings.calling import Calling
from ui.screen.surroundings.known import Surroundings
from ui.screen.surroundings.lookups import Lookups
from ui.screen.switches.model_switch import ModelSwitch
from ui.screen.switches.modes import Modes
from ui.screen.switches.permission_list import PermissionList
from ui.screen.switches.theme_switch import ThemeSwitch
from ui.screen.terminal import tty
from ui.screen.terminal.keys import Decoder, Report
from ui.screen.terminal.keys import Event as KeyEvent
from ui.screen.terminal.renderer import Renderer
from ui.screen.terminal.theme import Theme
from ui.screen.terminal.told import Understood, understood
from ui.screen.terminal.wardrobe import Wardrobe
from ui.screen.transcript.blocks import Note, Plain
from ui.screen.transcript.open_answer import Mark
from ui.screen.warm_up import warm_up
from ui.screen.wiring import Wires, actions_of
from ui.start import early_keys, first_echo
from ui.start.first_frame import short
from ui.start.fronts import Front, geometry_path

AGENT = "agent:main"
RECALL_S = 1.0
"""So long keys wait for the draft of an earlier life: not longer than an Esc may, when the store does not answer."""
PLAINLY = "the screen has just failed by itself; from here on answers are shown as they are written"


class App:
    def __init__(self, mailbox: Mailbox, settings: Settings, front: Front) -> None:
        geometry = GeometryFile(geometry_path(settings))
        before = geometry.read()
        can = self._can = tty.capabilities(os.environ)
        self._mailbox, self._settings, self._front = mailbox, settings, front
        self._again = before.painted
        """An earlier life of this screen was killed."""
        self._decoder = Decoder(can.lone_esc_s)
        self._tty, self._renderer = self._ends(before, can)
        mark = Mark(before.last, before.shown, before.chars, before.crc, before.notes)
        self._session = SessionView(mark, plain=mailbox.failures > 0)
        self._shown, self._around = Shown(self._session), Surroundings(short(settings.cwd))
        keys, self._of_keys = user_keys.load(Path(settings.home), vi=settings.editing == "vi")
        self._controls = Controls(History([]), lambda: self._shown.reach, keys=keys, queued=lambda: self._outbox.waits)
        theme = Theme(depth=can.depth, links=can.links)
        self._wardrobe = Wardrobe(theme, Path(settings.home), dark=can.dark)
        canvas = Canvas(self._tty, self._renderer, geometry, can)
        self._painter = Painter(canvas, self._scene(can, theme), understands := self._understood())
        self._calling = Calling(self._painter.call, self._controls, self._start, system=understands.system)
        self._pager = PagerDoor(mailbox, self._painter, self._start)
        self._theme_switch = ThemeSwitch(settings, self._wardrobe, self._start, self._painter.repaint, self.say)
        self._controls.layers.append(self._theme_switch.picker)
        ports = Ports(mailbox, AGENT, self._ask, self.say, self._shown.say, front.opener)
        own, editor = self._session, self._controls.editor
        self._first = FirstModel(ports, settings, own, editor, self._painter.poke)
        self._prompts = Prompts(mailbox, AGENT, settings, own, editor, self.say, self._first.admits)
        shown, now = (lambda: self._session.prompted), (lambda: self._session.name)
        self._model_switch = ModelSwitch(mailbox, AGENT, self.say, shown, self._ask, now)
        self._modes, self._compaction = Modes(mailbox, AGENT, own, self.say), Compaction(mailbox, AGENT, own, self.say)
        self._answers = Answers(mailbox, AGENT, settings.run_id, self._controls.questions, self.say)
        self._permission_list = PermissionList(mailbox, self.say)
        self._drafts = Drafts(mailbox, settings, self._controls, self._prompts, self.say)
        self._hand_back = HandBack(mailbox, front, geometry_path(settings), self._painter, self._drafts)
        self._outside_editor = OutsideEditor(
            mailbox, self._front, self._painter, self._drafts, self._controls, geometry_path(settings), self.say
        )
        more = self._start, self._painter.poke, self.say, self._painter.first
        self._lookups = Lookups(mailbox, settings, self._session, self._around, self._first.resolved, *more)
        orders = Orders(mailbox, AGENT, self._ask, self.say)
        self._onlooking = Onlooking(orders, self._shown, self._prompts.give_back, self._painter.poke)
        self._leaving = Leaving(self._shown, self._ask, self.leave)
        self._outbox, self._following = self._goes_out(), self._comes_in()
        self._actions = self._may_be_asked_for()
        self._reading, self._recalled = trio.CancelScope(), trio.Event()
        """recalled: what an earlier life of this screen was typing is in the composer again."""
        self._nursery: trio.Nursery
        self._used = trio.Event()
        """Somebody types, or has asked: there will be an answer to show."""
        self.left = trio.Event()
        """The terminal is given back and the supervisor told."""

    def _understood(self) -> Understood:
        return understood(os.environ) if self._settings.announce else Understood()

    def _ends(self, before: Geometry, can: tty.Capabilities) -> tuple[tty.Tty, Renderer]:
        return ends_of_terminal(before, can)

    def _scene(self, can: tty.Capabilities, theme: Theme) -> Scene:
        return Scene(self._shown, self._controls, self._around, theme, moving=can.moves)

    def _goes_out(self) -> Outbox:
        return Outbox(
            start=self._start,
            poke=self._painter.poke,
            shown=self._shown,
            prompts=self._prompts,
            drafts=self._drafts,
            onlooking=self._onlooking,
            compaction=self._compaction,
            history=Path(history.path_for(self._settings.home, self._settings.cwd)),
        )

    def _comes_in(self) -> Following:
        followed = self._mailbox, AGENT, self._session, self._heard, self._painter.catch_up
        return Following(
            *followed,
            instead=lambda error: self._actions.other_sessions.instead(error),
            unsent=self._send_first_again,
            say=self.say,
            leave=self.leave,
        )

    def _may_be_asked_for(self) -> ScreenActions:
        return actions_of(
            Wires(
                mailbox=self._mailbox,
                agent=AGENT,
                settings=self._settings,
                opener=self._front.opener,
                start=self._start,
                say=self.say,
                ask=self._ask,
                answers=self._answers,
                leave=lambda: self._do(Leave()),
                painter=self._painter,
                controls=self._controls,
                shown=self._shown,
                session_id=self._following.session_id,
                outbox=self._outbox,
                model_switch=self._model_switch,
                modes=self._modes,
                permission_list=self._permission_list,
                session_name=self._lookups.name,
                theme_switch=self._theme_switch,
            )
        )

    async def run(self) -> None:
        typed = await self._take_terminal()
        async with trio.open_nursery() as self._nursery:
            for task in self._tasks:
                self._nursery.start_soon(task)
            if not self._again:
                self._begin()
            if self._front.choose and not self._session.prompted:  # also when an earlier life has died with the list
                self._actions.resume("")
            for event in self._decoder.feed(typed):  # before anything is painted over it
                self._typed(event)
            if self._mailbox.failures:
                self.say(PLAINLY, "warning")
            async for request in self._mailbox:
                self._take(request)
            self._nursery.cancel_scope.cancel()

    @property
    def _tasks(self) -> tuple[Callable[[], Awaitable[None]], ...]:
        warming = partial(warm_up, self._settings, self._painter.first, self._used, self._controls.history)
        return (self._painter.run, self._following.run, self._keys, self._painter.winches, self._draft, warming)

    async def _take_terminal(self) -> bytes:
        """Returns what was typed before."""
        painted = self._renderer.rows > 0 and not self._again
        asked = tty.BACKGROUND_QUESTION * self._can.tells_background
        await self._tty.write(tty.take_over(self._front.attributes, painted=painted) + asked)
        self._theme_switch.begin(again=self._again)
        typed = early_keys.take(geometry_path(self._settings))
        header = Plain(self._front.header)
        if painted:
            self._renderer.adopt(header, header.row, first_echo.column(typed, self._renderer.width))
        elif header.row and not self._again:
            self._session.say(header)
        return typed

    def _begin(self) -> None:
        self._start(self._permission_list.look_for_sandbox, self._session)
        for notice in (*brought.notices(self._settings), *self._of_keys):
            self.say(notice, "warning")
        if self._front.prompt:
            self._nursery.start_soon(self._send_first)
            return
        for file in self._front.files:
            self._controls.editor.attach(file)

    async def _send_first(self) -> None:
        if self._settings.resume:
            await self._following.subscribed.wait()  # which session it is may have to be asked
        self._used.set()
        self._outbox.send(Send(self._front.prompt, self._front.files), f"{self._settings.run_id}-first")

    def _send_first_again(self) -> None:
        if self._again and self._front.prompt and not self._session.last_seen:
            self._nursery.start_soon(self._send_first)  # the life before has died with the question

    def _take(self, request: Request) -> None:
        match request.message:
            case UserAsked():
                self._nursery.start_soon(request.serve, self._ask_user)
            case Signalled(name="SIGINT"):
                self._act(self._controls.interrupt(time.monotonic()))
            case Signalled():
                self.leave()
            case ModeIs():
                self._modes.is_now(request.message)
            case SandboxIs() | SandboxUnasked():
                self._session.take_sandbox(request.message)
            case Notice(text=text, level=level):
                self.say(text, level)
            case ServerChanged():
                self._actions.servers.heard(request.message)
                self._painter.poke()
            case ActorRestarted() | ActorGivenUp():
                self._actions.servers.process_died(request.message)
                self._lookups.died(request.message)
            case _:
                raise UnexpectedMessage(request.message)

    def _heard(self, event: Message) -> None:
        was_busy = self._session.busy
        self._outbox.heard(event)
        self._session.apply(event, time.time())  # type: ignore[arg-type]  # the mailbox knows only that it is a message
        self._lookups.heard(event)
        self._answers.heard(event)
        self._onlooking.heard()
        self._pager.heard(event)
        self._actions.jobs.count.heard(event)
        self._begin_fresh()
        over = was_busy and not self._session.busy
        if over and not self._outbox.waits:
            self._calling.call("the turn is over")
        self._painter.poke(urgent=over)

    def _begin_fresh(self) -> None:
        if fresh := self._answers.due(self._session.calls):
            self._nursery.start_soon(self._answers.begin, fresh)

    async def _ask_user(self, request: Request) -> None:
        self._calling.call("there is a question for you")
        self._painter.poke()
        try:
            await self._answers.serve(request)
        finally:
            self._painter.poke()

    async def _ask(self, question: UserAsked) -> UserAnswered:
        self._painter.poke()
        try:
            return await self._answers.ask(question)
        finally:
            self._painter.poke()

    async def _keys(self) -> None:
        if self._again:  # what is typed goes on behind the draft
            with trio.move_on_after(RECALL_S):
                await self._recalled.wait()
        with self._reading:
            while (events := await tty.typed(self._tty, self._decoder)) is not None:
                for event in events:
                    self._typed(event)
            self.leave()

    def _typed(self, event: KeyEvent) -> None:
        if isinstance(event, Report) and event.kind == "background":
            self._wardrobe.told(event.numbers)
            self._painter.poke()
            return
        if isinstance(event, Report) and event.kind != "focus":
            self._painter.told(event)
            return
        self._used.set()
        self._act([] if self._pager.takes(event) else self._controls.handle(event, time.monotonic()))
        self._drafts.poke()
        self._painter.poke(urgent=True)

    def _act(self, intents: list[Intent]) -> None:
        for intent in intents:
            early_keys.forget(geometry_path(self._settings))  # what was done is not done again by a later life
            self._do(intent)

    def _do(self, intent: Intent) -> None:
        match intent:
            case Send() | Shell():
                self._used.set()
                self._outbox.typed(intent, uuid.uuid4().hex)
            case Command(line=line):
                self._onlooking.back()  # it is about the own session
                dispatch.run(self._actions, line)
            case Answer() | Wish():
                self._answers.answer(intent)
            case Interrupt() | GoBack() | TakeBack():
                self._outbox.take_back(intent)
            case CycleMode():
                self._actions.cycle_mode()
            case OpenPager():
                self._pager.open()
            case Suspend() | EditOutside() | Repaint():
                self._with_terminal(intent)
            case Leave(at_once=False) if self._leaving.must_ask:
                self._nursery.start_soon(self._leaving.asked)
            case Leave():
                self.leave()

    def _with_terminal(self, intent: Suspend | EditOutside | Repaint) -> None:
        if isinstance(intent, Repaint):
            self._painter.repaint()
            return
        self._start(self._hand_back.suspend if isinstance(intent, Suspend) else self._outside_editor.edit)

    async def _draft(self) -> None:
        try:
            if self._again:
                await self._drafts.recall()
                self._outbox.send_again()
                await self._answers.recall()
                self._begin_fresh()
                self._painter.poke()
        except Failed as error:
            self.say(f"the draft is lost: {error}", "warning")
        self._recalled.set()
        await self._drafts.keep()

    def _start(self, task: Callable[..., Awaitable[None]], *arguments: object) -> None:
        self._nursery.start_soon(task, *arguments)

    def say(self, text: str, level: str = "info") -> None:
        self._shown.say(Note(harmless.sanitise(text), level))
        self._drafts.poke()
        self._painter.poke()

    def leave(self, why: str = "") -> None:
        """why: there is nothing to be done here."""
        if not self.left.is_set():
            self.left.set()
            self._reading.cancel()
            self._nursery.start_soon(self._hand_back.for_good, why, self._session)
