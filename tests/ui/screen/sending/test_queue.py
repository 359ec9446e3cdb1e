"""What comes back goes into the composer once, as it was composed, whenever the screen was killed."""

import msgspec

from actors.messages.base import PromptsWithdrawn
from actors.messages.conversation import Attachment, Body, Entry, PromptQueued, UserMessage
from actors.messages.turn import CaughtUp, EntryAdded, Event, QueueIs
from tests.ui.screen.golden import INFO
from ui.common.attached_files import AttachedFile
from ui.screen.composer.editor import Editor
from ui.screen.intents import Send
from ui.screen.sending.queue import Kept, Queue
from ui.screen.session_view import SessionView

PICTURE = AttachedFile("/w/a.png", "image/png", 3)


class Screen:
    def __init__(self) -> None:
        self.session, self.editor, self.said = SessionView(), Editor(), list[str]()
        self.queue = Queue(self.session, self.editor, lambda text, _level: self.said.append(text))

    def hear(self, *events: Event) -> None:
        for event in events:
            self.queue.heard(event)
            self.session.apply(event)

    def die(self) -> "Screen":
        """The next life, with what was stored last."""
        stored = msgspec.json.encode(self.queue.record(without=()))
        born = Screen()
        born.queue.recall(msgspec.json.decode(stored, type=dict[str, Kept]))
        return born


def composed(text: str, *, with_picture: bool = False) -> Send:
    editor = Editor()
    if with_picture:
        editor.attach(PICTURE)
    editor.paste(text)
    return Send(editor.expanded, editor.attached, editor.draft, "next")


def added(body: Body) -> EntryAdded:
    return EntryAdded(entry=Entry(id="e", session_id="s", parent="", body=body, at=1.0))


def waiting(prompt_id: str, text: str = "x", *attached: Attachment) -> PromptQueued:
    return PromptQueued(prompt_id=prompt_id, text=text, attachments=attached, kind="next")


def test_several_come_back_in_their_order_before_what_is_being_written() -> None:
    screen = Screen()
    long = "line\n" * 30
    screen.queue.kept |= {"q1": composed(long), "q2": composed("look", with_picture=True)}
    screen.editor.paste(long)

    screen.hear(INFO, CaughtUp(), added(waiting("q1")), added(waiting("q2")))
    screen.hear(added(PromptsWithdrawn(prompt_ids=("q1", "q2"))))

    assert screen.editor.expanded == f"{long}\n\n[image #1 a.png] look\n\n{long}"
    assert screen.editor.attached == (PICTURE,)
    assert screen.session.sent == []


def test_what_came_back_while_the_screen_was_dead_is_in_the_composer_of_the_next() -> None:
    screen = Screen()
    screen.queue.kept |= {"q1": composed("one"), "q2": composed("two")}
    screen.hear(INFO, CaughtUp(), added(waiting("q1")), added(waiting("q2")))

    born = screen.die()
    born.hear(INFO, QueueIs(waiting=(waiting("q2", "two"),), withdrawn=("q1",)), CaughtUp())

    assert born.editor.text == "one"
    assert [one.prompt_id for one in born.session.sent] == ["q2"]
    assert born.queue.unheard_of() == {}


def test_the_word_of_the_agent_may_come_before_that_of_the_store() -> None:
    screen = Screen()
    screen.queue.kept["q1"] = composed("one")
    stored = screen.queue.record(without=())
    born = Screen()

    born.hear(INFO, QueueIs(waiting=(), withdrawn=("q1",)), CaughtUp())
    born.queue.recall(stored)

    assert born.editor.text == "one"


def test_what_the_agent_never_heard_of_is_sent_again() -> None:
    screen = Screen()
    screen.queue.kept |= {"q1": composed("one"), "q2": composed("two")}

    born = screen.die()
    too_early = born.queue.unheard_of()
    born.hear(INFO, QueueIs(waiting=(waiting("q2"),), withdrawn=()), CaughtUp())

    assert too_early == {}
    assert list(born.queue.unheard_of()) == ["q1"]
    assert born.queue.unheard_of() == {}


def test_what_was_answered_does_not_come_back() -> None:
    screen = Screen()
    screen.queue.kept["q1"] = composed("one")
    screen.hear(INFO, CaughtUp(), added(waiting("q1")))

    screen.hear(added(UserMessage(text="one", turn_id="q1", prompt_id="q1")))
    screen.hear(added(PromptsWithdrawn(prompt_ids=("q1",))))

    assert screen.editor.text == ""


def test_what_was_withdrawn_long_ago_does_not_come_back() -> None:
    screen = Screen()

    screen.hear(INFO, added(waiting("q1", "old")), added(PromptsWithdrawn(prompt_ids=("q1",))), CaughtUp())

    assert screen.editor.text == ""


def test_of_an_earlier_run_the_text_comes_back_and_what_was_attached_is_told() -> None:
    screen = Screen()
    shown = Attachment(name="a.png", media_type="image/png", size=3)
    screen.hear(INFO, QueueIs(waiting=(waiting("q1", "old", shown),), withdrawn=()), CaughtUp())

    screen.hear(added(PromptsWithdrawn(prompt_ids=("q1",))))

    assert screen.editor.text == "old"
    assert screen.said == ["what was attached to it did not come back: attach it again"]
