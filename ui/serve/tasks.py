"""The tasks there are: how many may be, which session is at work, and whose question it is that the gate asks."""

import trio

from actors.mailbox import Mailbox, Request
from actors.messages.tool import UserAnswered, UserAsked
from actors.settings.config import Settings
from ui.common.usage_errors import Usage
from ui.serve import questions
from ui.serve.task import GONE, Question, Task
from ui.serve.terms import AT_ONCE, WAITING, RunTask


class Tasks:
    def __init__(self, mailbox: Mailbox, settings: Settings, nursery: trio.Nursery) -> None:
        """nursery: of all tasks; each ends in order when it is cancelled."""
        self._mailbox = mailbox
        self._settings = settings
        self._nursery = nursery
        self._room = trio.CapacityLimiter(AT_ONCE)
        self._number = 0
        self._here: list[Task] = []

    def begin(self, wanted: RunTask) -> Task:
        """Raises Usage."""
        if len(self._here) >= AT_ONCE + WAITING:
            raise Usage(f"{AT_ONCE} tasks run and {WAITING} wait, which is the most. Try again when one has ended.")
        if any(task.session_id == wanted.session_id for task in self._here):
            raise Usage(f'the session "{wanted.session_id}" is at work. Go on with it when that task has ended.')
        self._number += 1
        task = Task(self._mailbox, self._settings, wanted, self._number)
        self._here.append(task)
        self._nursery.start_soon(self._run, task)
        return task

    async def _run(self, task: Task) -> None:
        try:
            await task.run(self._room)
        finally:
            self._here.remove(task)

    def begun(self, token: str) -> Task:
        """That the client was asked something about. Raises Usage."""
        found = next((task for task in self._here if task.token == token), None)
        if found is None:
            raise Usage(GONE)
        return found

    async def ask(self, asked: UserAsked, request: Request) -> None:
        """What cannot be put to anybody is refused, with words on what would allow it."""
        task = next((task for task in self._here if task.owns(asked.agent)), None)
        if asked.kind != "approval":
            request.reply(UserAnswered(choice=asked.escape))
            return
        question = Question(asked)
        if task is not None and questions.can_be_put(asked):
            await task.ask(question)
        request.reply(question.answer)
