"""What /rewind asks before anything changes, and what it asks the agent for then."""

import pytest
from msgspec.structs import replace

from actors.errors import failed
from actors.mailbox import Mailbox
from actors.messages.base import Message
from actors.messages.checkpoint import CheckpointDiff
from actors.messages.store import ReadTree, SessionOpened, TreeNode
from actors.messages.tool import UserAnswered, UserAsked
from actors.messages.turn import PreviewRewind, Rewind, RewindPreview, Rewound
from tests.fakes.network import open_network
from ui.screen.composer.editor import Editor
from ui.screen.sessions.places import Places
from ui.screen.sessions.rewind import Rewinding, _changed, question

CHANGED = CheckpointDiff(
    restored=("a.txt",), removed=("new.txt", "b.txt"), counts=(1, 2, 0, 0, 0, 0), diff="-three\n+two\n"
)
PREVIEW = RewindPreview(prompt="change it", prompts=2, files=CHANGED)
NODE = TreeNode(
    entry_id="e1", parent="", before="e0", last="e2", kind="UserMessage", at=0.0, text="change it", active=True
)


def offered(preview: RewindPreview) -> list[str]:
    return [choice.id for choice in question(preview).choices]


def test_it_says_which_files_would_change_and_how() -> None:
    asked = question(PREVIEW)

    assert asked.title == 'Take back 2 prompts, from "change it" on?'
    assert asked.detail.split("\n") == [
        "1 file gets back what it had: a.txt",
        "2 files that came to be since are removed: new.txt, b.txt",
        "",
        "```diff",
        "-three",
        "+two",
        "```",
    ]


def test_many_files_are_counted_and_what_stays_or_is_in_the_way_is_named() -> None:
    many = tuple(f"f{number}" for number in range(200))
    files = CheckpointDiff(
        restored=many,
        kept=("mine",),
        edited=("f1",),
        not_restored=("pipe: is no file",),
        left_out=("film.mp4: 31 MB",),
        counts=(300, 0, 1, 1, 1, 1),
    )

    assert question(replace(PREVIEW, files=files)).detail.split("\n") == [
        "300 files get back what they had: f0, f1, f2, f3, f4, f5, f6, f7, and 292 more",
        "1 file made by no turn of a session stays: mine",
        "1 file of these was changed by somebody else since: f1",
        "1 file cannot be brought back: pipe: is no file",
        "1 file was not recorded then and stays as it is: film.mp4: 31 MB",
    ]


@pytest.mark.parametrize(
    ("preview", "choices"),
    [
        (PREVIEW, ["both", "conversation", "files", "no"]),
        (
            replace(PREVIEW, files=replace(CHANGED, counts=(1, 2, 3, 0, 0, 0))),
            ["both", "conversation", "files", "all", "no"],
        ),
        (replace(PREVIEW, files=CheckpointDiff(counts=(0, 0, 1, 0, 0, 0))), ["conversation", "all", "no"]),
        (replace(PREVIEW, files=CheckpointDiff()), ["conversation", "no"]),
        (replace(PREVIEW, files=None), ["conversation", "no"]),
        (replace(PREVIEW, files=None, problem="the disk was full."), ["conversation", "no"]),
    ],
)
def test_only_what_can_be_done_is_offered(preview: RewindPreview, choices: list[str]) -> None:
    assert offered(preview) == choices


def test_why_the_files_stay_is_said() -> None:
    preview = replace(PREVIEW, files=None, problem="the disk was full.")

    assert question(preview).detail == "The files cannot be brought back: the disk was full."


class Stage:
    def __init__(self, choices: list[str], *, refused: bool = False) -> None:
        """choices: the answers to what is asked, in order."""
        self.wanted: list[Message] = []
        self.said: list[str] = []
        self.editor = Editor()
        self._choices = choices
        self._refused = refused

    async def _agent(self, mailbox: Mailbox) -> None:
        async for request in mailbox:
            self.wanted.append(request.message)
            if isinstance(request.message, PreviewRewind):
                request.reply(PREVIEW)
            elif self._refused:
                request.fail(failed("no_checkpoint", "it is not kept any more.").problem)
            else:
                request.reply(Rewound(prompt="change it", files=CHANGED))

    async def _store(self, mailbox: Mailbox) -> None:
        async for request in mailbox:
            assert isinstance(request.message, ReadTree)
            await request.send(NODE)
            request.reply(SessionOpened(session_id="s", cwd="/w", entries=3))

    async def _ask(self, _question: UserAsked) -> UserAnswered:
        return UserAnswered(choice=self._choices.pop(0))

    async def _this(self) -> str:
        return "s"

    def _say(self, text: str, level: str) -> None:
        self.said.append(f"{level}: {text}")

    async def run(self, what: str) -> list[Message]:
        """What the agent was asked for after the preview."""
        async with open_network() as network:
            network.start("agent:main", self._agent)
            network.start("store", self._store)
            mailbox = network.mailbox("ui")
            places = Places(mailbox, "agent:main", self._this, self.editor, self._ask, self._say, typed=lambda: None)
            await getattr(Rewinding(mailbox, "agent:main", places, self._ask, self._say), what)()
        return [word for word in self.wanted if not isinstance(word, PreviewRewind)]


def test_what_did_not_come_back_is_said_afterwards() -> None:
    files = replace(
        CHANGED, not_restored=("pipe: is no file",), left_out=("film.mp4: 31 MB",), counts=(1, 2, 0, 0, 1, 1)
    )

    assert _changed(files) == (
        "1 file brought back, 2 files removed, 1 could not be brought back: pipe: is no file, "
        "1 had not been recorded: film.mp4: 31 MB"
    )


@pytest.mark.parametrize(
    ("choice", "files", "conversation", "others"),
    [
        ("both", True, True, False),
        ("conversation", False, True, False),
        ("files", True, False, False),
        ("all", True, True, True),
    ],
)
async def test_what_was_chosen_is_done(choice: str, files: bool, conversation: bool, others: bool) -> None:
    stage = Stage(["0", choice])

    (wanted,) = await stage.run("to_a_prompt")

    assert isinstance(wanted, Rewind)
    assert replace(wanted, rewind_id="") == Rewind(
        entry_id="e1", rewind_id="", files=files, conversation=conversation, remove_others=others
    )
    assert stage.editor.text == ("change it" if conversation else "")
    assert stage.said == ["info: gone back; 1 file brought back, 2 files removed; /rewind undo takes it back"]


@pytest.mark.parametrize("choices", [[""], ["0", "no"]])
async def test_who_declines_changes_nothing(choices: list[str]) -> None:
    stage = Stage(choices)

    assert await stage.run("to_a_prompt") == []
    assert (stage.said, stage.editor.text) == ([], "")


async def test_what_cannot_be_done_is_said_and_a_draft_stays() -> None:
    stage = Stage(["0", "both"], refused=True)
    stage.editor.insert("a draft")

    await stage.run("to_a_prompt")

    assert stage.said == ["error: it is not kept any more."]
    assert stage.editor.text == "a draft"


async def test_the_last_one_is_taken_back() -> None:
    stage = Stage([])

    (wanted,) = await stage.run("undo")

    assert isinstance(wanted, Rewind)
    assert wanted.entry_id == ""
    assert stage.said == ["info: the last rewind is taken back; 1 file brought back, 2 files removed"]
