"""A session against a model of it in plain Python: whatever is said, gone to, copied, rewound and killed, both agree.

So do the files of its workspace, byte by byte.
The store, the agent, the gate and the worker are the real ones, each a process, and SIGKILL is a real one.
"""

import contextlib
import re
import tempfile
import uuid
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule, run_state_machine_as_test

from actors.messages.checkpoint import Checkpointed, TakenBack
from actors.messages.conversation import AssistantMessage, Body, ModelInput, ToolResult, UserMessage
from tests import SOAK
from tests.fakes.driven_session import CALLS, WRITES
from tests.system.sessions.driver import Driver, driven
from tests.system.sessions.files_model import EDITS, WHOLE_EDITS, Edit, Record, Workspace, as_text

pytestmark = pytest.mark.slow
EXAMPLES = 300 if SOAK else 5
KEEPERS = ("checkpoints", "checkpoints agent:main") if SOAK else ()
"""Killed twice while they are asked the same they are not asked a third time, so a short run leaves them alone."""
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


class Disturbance(NamedTuple):
    """Of a rewind."""

    kill: str
    after: int | str
    once: bool
    """It is broken off where the agent dies, and made again."""

    @property
    def fields(self) -> dict[str, object]:
        return self._asdict()


DISTURBANCES = st.builds(
    Disturbance,
    kill=st.sampled_from(["", "", "store", "agent:main", *KEEPERS]),
    after=st.sampled_from([0, "records", "files"]),
    once=st.booleans(),
)


class Rewinding(NamedTuple):
    """What can be taken back."""

    files: Record | None
    """How they were; None where they were not touched."""
    stood: Said | None
    moved: bool


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
        self.workspace = Workspace(Path(home) / "work")
        self.records: dict[str, Record] = {}
        """By prompt id."""
        self.rewinds: dict[str, Rewinding] = {}
        self.ends = 0
        """As of `recorded` of the driven session."""
        self.is_quiet = True
        """What the latest turn has made is recorded: what comes to be from now on is the user's."""

    def teardown(self) -> None:
        self._stack.close()

    @rule(words=WORDS)
    def prompt(self, words: str) -> None:
        self._prompt(f"{uuid.uuid4().hex} {words}", "", 0)

    @rule(words=WORDS, kill=VICTIMS, after=MOMENTS)
    def prompt_with_calls(self, words: str, kill: str, after: int) -> None:
        self._prompt(f"{CALLS}{uuid.uuid4().hex} {words}", kill, after)

    @rule(edits=EDITS)
    def prompt_that_writes(self, edits: list[Edit]) -> None:
        self._write(edits, "", 0)

    @rule(edits=WHOLE_EDITS, kill=st.sampled_from(["store", "agent:main", *KEEPERS[:1]]), after=MOMENTS)
    def prompt_that_writes_while_somebody_dies(self, edits: list[Edit], kill: str, after: int) -> None:
        self._write(edits, kill, after)

    def _write(self, edits: list[Edit], kill: str, after: int) -> None:
        before = self.workspace.record()
        prompt_id = self._prompt(f"{WRITES}{uuid.uuid4().hex}\n{as_text(edits)}", kill, after)
        path = self.driver.path(self.session)
        assert any(isinstance(body, Checkpointed) and body.prompt_id == prompt_id for body in path)
        self.records[prompt_id] = before
        if not kill:
            self.ends = self.driver.do("recorded", than=self.ends)
        self.is_quiet = not kill
        self.workspace.turn(edits, disturbed=bool(kill))

    @precondition(lambda self: self.is_quiet)
    @rule(edits=EDITS)
    def edit_by_the_user(self, edits: list[Edit]) -> None:
        self.workspace.edit_by_user(edits)

    def _prompt(self, text: str, kill: str, after: int) -> str:
        """Its id."""
        prompt_id = uuid.uuid4().hex
        self._do("prompt", kill, after, text=text, id=prompt_id)
        said = Said(text, self.stands[self.session])
        self.said[self.session].append(said)
        self.stands[self.session] = said
        asked = self.driver.last_asked()
        assert keys(texts(asked)) == keys(said.path)
        assert is_valid(asked)
        return prompt_id

    @precondition(lambda self: self.stands[self.session])
    @rule(data=st.data(), files=st.booleans(), remove_others=st.booleans(), disturbance=DISTURBANCES)
    def rewind(self, data: st.DataObject, files: bool, remove_others: bool, disturbance: Disturbance) -> None:
        """Of the conversation, the files, or both."""
        said = data.draw(st.sampled_from(list(self._up())).map(lambda said: said.text))
        prompt = next(one for one in self._up() if one.text == said)
        conversation = data.draw(st.booleans()) if files else True
        found = record_of(self.driver.path(self.session), said)
        to = self.records[found.prompt_id] if files and found else None
        node = next(node for node in self.driver.tree(self.session) if node.active and brief(node.text) == brief(said))
        wanted = {"entry": node.entry_id, "files": files, "conversation": conversation}
        self._rewind({**wanted, "remove_others": remove_others}, to, disturbance, moves=conversation)
        if conversation:
            self.stands[self.session] = prompt.before

    @rule(remove_others=st.booleans(), disturbance=DISTURBANCES)
    def take_the_latest_rewind_back(self, remove_others: bool, disturbance: Disturbance) -> None:
        latest = [body for body in self.driver.path(self.session) if isinstance(body, TakenBack)][-1:]
        wanted = {"entry": "", "files": True, "conversation": True, "remove_others": remove_others}
        if not latest:
            refused = self.driver.do("rewind", id=uuid.uuid4().hex, once=False, **wanted)
            assert refused == {"refused": "unknown_session"}
            return
        taken_back = self.rewinds[latest[0].rewind_id]
        self._rewind(wanted, taken_back.files, disturbance, moves=taken_back.moved)
        if taken_back.moved:
            self.stands[self.session] = taken_back.stood

    def _rewind(self, wanted: dict[str, object], to: Record | None, disturbance: Disturbance, *, moves: bool) -> None:
        before, rewind_id = self.workspace.record(), uuid.uuid4().hex
        remove_others = bool(wanted["remove_others"])
        expected = self.workspace.rewound(to, remove_others=remove_others) if to else self.workspace.files
        done = self.driver.do("rewind", id=rewind_id, **disturbance.fields, **wanted)
        if done == {"refused": "actor_died"}:
            self.workspace.check_broken_off(expected)
            done = self.driver.do("rewind", id=rewind_id, once=False, **wanted)
        assert "refused" not in done, done
        if to:
            self.workspace.check_rewound(expected)
            self.ends = self.driver.do("recorded", than=-1)
        self.rewinds[rewind_id] = Rewinding(before if to else None, self.stands[self.session], moves)
        self.is_quiet = True

    def _up(self) -> Iterator[Said]:
        """From the prompt where the session stands."""
        said = self.stands[self.session]
        while said:
            yield said
            said = said.before

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
    def the_files_are_what_was_made_of_them(self) -> None:
        self.workspace.check()

    @invariant()
    def the_path_is_what_was_said(self) -> None:
        assert self.driver.do("session")["session"] == self.session
        path = self.driver.path(self.session)
        prompts = [body.text for body in path if isinstance(body, UserMessage) and body.prompt_id]
        assert prompts == path_of(self.stands[self.session])
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


def record_of(path: Sequence[Body], text: str) -> Checkpointed | None:
    """The first since this prompt."""
    at = next(at for at, body in enumerate(path) if isinstance(body, UserMessage) and body.text == text)
    return next((body for body in path[at:] if isinstance(body, Checkpointed)), None)


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
