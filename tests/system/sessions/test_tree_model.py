"""A session against a model of it in plain Python: whatever is said, gone to, copied and killed, the two agree.

The store, the agent, the gate and the worker are the real ones, each a process, and SIGKILL is a real one.
"""

import contextlib
import re
import tempfile
import uuid
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule, run_state_machine_as_test

from actors.messages.conversation import AssistantMessage, ModelInput, ToolResult, UserMessage
from tests import SOAK
from tests.fakes.driven_session import CALLS
from tests.system.sessions.driver import Driver, driven

pytestmark = pytest.mark.slow
EXAMPLES = 300 if SOAK else 8
STEPS = 20
VICTIMS = st.sampled_from(["", "", "store", "agent:main"])
MOST_SESSIONS = 3
WORDS = st.text("abc é\n\"'", max_size=20)
KEY = re.compile(r"\b[0-9a-f]{32}\b")
MOMENTS = st.integers(0, 4)


class Said:
    """A prompt in the tree; the last of a path says what the path is."""

    def __init__(self, text: str, before: "Said | None") -> None:
        self.text = text
        self.before = before

    @property
    def path(self) -> list[str]:
        return [*(self.before.path if self.before else []), self.text]


def brief(text: str) -> str:
    """As nodes tell it, with what no other prompt has."""
    return " ".join(text.split())[:60]


def path_of(said: Said | None) -> list[str]:
    return said.path if said else []


class Sessions(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self._stack = contextlib.ExitStack()
        home = self._stack.enter_context(tempfile.TemporaryDirectory())
        self.driver: Driver = self._stack.enter_context(driven(Path(home)))
        self.session: str = self.driver.do("session")["session"]
        self.said: dict[str, list[Said]] = {self.session: []}
        self.stands: dict[str, Said | None] = {self.session: None}

    def teardown(self) -> None:
        self._stack.close()

    @rule(words=WORDS)
    def prompt(self, words: str) -> None:
        self._prompt(f"{uuid.uuid4().hex} {words}", "", 0)

    @rule(words=WORDS, kill=VICTIMS, after=MOMENTS)
    def prompt_with_calls(self, words: str, kill: str, after: int) -> None:
        self._prompt(f"{CALLS}{uuid.uuid4().hex} {words}", kill, after)

    def _prompt(self, text: str, kill: str, after: int) -> None:
        self._do("prompt", kill, after, text=text, id=uuid.uuid4().hex)
        said = Said(text, self.stands[self.session])
        self.said[self.session].append(said)
        self.stands[self.session] = said
        asked = self.driver.last_asked()
        assert keys(texts(asked)) == keys(said.path)
        assert is_valid(asked)

    @precondition(lambda self: self.said[self.session])
    @rule(data=st.data(), kill=VICTIMS)
    def go_before_a_prompt(self, data: st.DataObject, kill: str) -> None:
        said = data.draw(st.sampled_from(self.said[self.session]))
        node = next(node for node in self.driver.tree(self.session) if brief(node.text) == brief(said.text))
        self._do("go_to", kill, 0, entry=node.before)
        self.stands[self.session] = said.before

    @precondition(lambda self: self.said[self.session])
    @rule(data=st.data(), kill=VICTIMS)
    def go_to_any_place(self, data: st.DataObject, kill: str) -> None:
        """Also into the middle of a turn."""
        nodes = self.driver.tree(self.session)
        node = data.draw(st.sampled_from(nodes))
        by_id = {one.entry_id: one for one in nodes}
        self._do("go_to", kill, 0, entry=node.entry_id)
        while node.kind != UserMessage.__name__:
            node = by_id[node.parent]
        said = self.said[self.session]
        self.stands[self.session] = next(one for one in said if brief(one.text) == brief(node.text))

    @precondition(lambda self: self.stands[self.session])
    @rule(kill=VICTIMS)
    def compact(self, kill: str) -> None:
        assert self.driver.do("compact", kill=kill).get("refused", "refused") == "refused"

    @precondition(lambda self: self.stands[self.session] and len(self.said) < MOST_SESSIONS)
    @rule(kill=VICTIMS)
    def go_on_with_a_copy(self, kill: str) -> None:
        copy = uuid.uuid4().hex
        self._do("clone", kill, 0, session=self.session, copy=copy)
        path: Said | None = None
        self.said[copy] = []
        for text in path_of(self.stands[self.session]):
            path = Said(text, path)
            self.said[copy].append(path)
        self.stands[copy] = path
        self._open(copy, "")

    @precondition(lambda self: len(self.said) > 1)
    @rule(data=st.data(), kill=VICTIMS)
    def open_another(self, data: st.DataObject, kill: str) -> None:
        self._open(data.draw(st.sampled_from(list(self.said))), kill)

    def _open(self, session: str, kill: str) -> None:
        self._do("open", kill, 0, session=session)
        self.session = session

    def _do(self, op: str, kill: str, after: int, **fields: object) -> None:
        self.driver.do(op, kill=kill, after=after, **fields)

    @invariant()
    def the_path_is_what_was_said(self) -> None:
        assert self.driver.do("session")["session"] == self.session
        path = self.driver.path(self.session)
        assert [body.text for body in path if isinstance(body, UserMessage)] == path_of(self.stands[self.session])
        assert is_valid([body for body in path if isinstance(body, UserMessage | AssistantMessage | ToolResult)])

    @invariant()
    def the_tree_has_all_that_was_said_where_it_was_said(self) -> None:
        nodes = self.driver.tree(self.session)
        by_id = {node.entry_id: node for node in nodes}

        def path(node_id: str) -> list[str]:
            if not node_id:
                return []
            node = by_id[node_id]
            words = [brief(node.text)] if node.kind == UserMessage.__name__ else []
            return [*path(node.parent), *words]

        found = [path(node.entry_id) for node in nodes if node.kind == UserMessage.__name__]
        expected = [[brief(text) for text in said.path] for said in self.said[self.session]]
        assert found == expected


def keys(said: list[str]) -> list[str]:
    """What tells prompts apart, in their order: a compaction quotes them, and once more in what was to be done."""
    return list(dict.fromkeys(KEY.findall("\n".join(said))))


def texts(history: list[ModelInput]) -> list[str]:
    return [message.text for message in history if isinstance(message, UserMessage)]


def is_valid(history: list[ModelInput]) -> bool:
    """As every service wants it: right after an answer a result for each of its calls, and no other result anywhere."""
    waiting: list[str] = []
    for message in history:
        if isinstance(message, ToolResult):
            if message.call_id not in waiting:
                return False
            waiting.remove(message.call_id)
        elif waiting:
            return False
        elif isinstance(message, AssistantMessage):
            waiting = [call.call_id for call in message.calls]
    return not waiting


def test_the_session_and_its_model_agree() -> None:
    run_state_machine_as_test(
        Sessions,
        settings=settings(
            max_examples=EXAMPLES,
            stateful_step_count=STEPS,
            deadline=None,
            suppress_health_check=list(HealthCheck),
            database=None,
        ),
    )
