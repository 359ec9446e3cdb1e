"""What has cost two lives is not handed out again, and what was only beside it is."""

import msgspec

from actors import messages
from actors.messages.base import Envelope, Problem
from actors.messages.turn import Notice
from supervisor.router import Router
from supervisor.suspects import TRIAL_S


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


class Post:
    """A router with two who ask and one who serves."""

    def __init__(self) -> None:
        self.clock = Clock()
        self.router = Router(lambda _sender, _to: True, lambda _name: True, self.clock)
        self._number = 0

    def ask(self, text: str, sender: str = "agent:a") -> list[str]:
        """Returns what is delivered, in words."""
        self._number += 1
        body = messages.encode(Notice(text=text))
        envelope = Envelope(kind="ask", to="gate", sender=sender, id=self._number, body=body)
        return list(map(words, self.router.route(envelope, sender)))

    def answer(self, number: int, kind: messages.base.Kind = "reply", sender: str = "agent:a") -> list[str]:
        return list(map(words, self.router.route(Envelope(kind=kind, to=sender, sender="gate", id=number), "gate")))

    def die(self, *, blamed: bool = True) -> None:
        self.router.died("gate", blamed=blamed)


def words(envelope: Envelope) -> str:
    if envelope.kind in {"reply", "cancelled"} or envelope.body == msgspec.Raw(b"\xc0"):
        return envelope.kind
    match messages.decode(envelope.body):
        case Problem(code=code):
            return code
        case Notice(text=text):
            return text
        case other:
            return type(other).__name__


def test_what_costs_two_lives_is_refused_whoever_asks() -> None:
    post = Post()

    for _ in range(2):
        assert post.ask("poison") == ["poison"]
        post.die()

    assert post.ask("poison") == ["deadly"]
    assert post.ask("poison", "agent:b") == ["deadly"]
    assert post.ask("other") == ["other"]


def test_the_same_from_two_askers_is_one_death() -> None:
    post = Post()
    post.ask("question", "agent:a")
    post.ask("question", "agent:b")

    post.die()

    assert post.ask("question") == ["question"]


def test_who_was_killed_from_outside_blames_nobody() -> None:
    post = Post()

    for _ in range(5):
        assert post.ask("work") == ["work"]
        post.die(blamed=False)


def test_suspects_are_tried_one_after_the_other_so_that_the_innocent_is_cleared() -> None:
    post = Post()
    post.ask("innocent")
    post.ask("poison", "agent:b")
    post.die()

    assert post.ask("innocent") == ["innocent"]
    assert post.ask("poison", "agent:b") == []
    assert post.ask("new", "agent:c") == ["new"]
    assert post.answer(3) == ["reply", "poison"]
    post.die()

    assert post.ask("poison", "agent:b") == ["deadly"]
    assert post.ask("innocent") == ["innocent"]
    assert post.ask("new", "agent:c") == ["new"]


def test_a_suspect_that_is_served_for_long_holds_up_nobody() -> None:
    post = Post()
    post.ask("long")
    post.ask("other")
    post.die()
    post.ask("long")

    post.clock.now += TRIAL_S + 1

    assert post.ask("other") == ["other"]


def test_a_suspect_that_waits_and_is_given_up_is_not_tried() -> None:
    post = Post()
    post.ask("first")
    post.ask("second")
    post.die()
    post.ask("first")
    post.ask("second")

    cancel = Envelope(kind="cancel", to="gate", sender="agent:a", id=4)
    assert list(map(words, post.router.route(cancel, "agent:a"))) == ["cancel"]
    assert post.answer(4, "cancelled") == ["cancelled"]

    assert post.answer(3) == ["reply"]


def test_it_is_forgotten_after_a_while() -> None:
    post = Post()
    for _ in range(2):
        post.ask("poison")
        post.die()

    post.clock.now += 601

    assert post.ask("poison") == ["poison"]


def test_a_request_that_is_handed_on_is_refused_by_what_it_was_handed_on_as() -> None:
    post = Post()
    body = messages.encode(Notice(text="granted"))

    def run() -> list[str]:
        post.ask(f"call {post.clock.now}")
        post.clock.now += 1
        forward = Envelope(kind="forward", to="tools:main", sender="gate", id=post._number, body=body, asker="agent:a")
        return list(map(words, post.router.route(forward, "gate")))

    for _ in range(2):
        assert run() == ["granted"]
        post.router.died("tools:main", blamed=True)

    assert run() == ["deadly"]
