"""The router as a table: envelopes in, deliveries out."""

import msgspec

from actors import messages
from actors.messages.base import Envelope, Problem
from supervisor.router import Cancelled, Router

OPEN_WAYS = {("agent", "gate"), ("gate", "tools"), ("agent", "store")}
NIL = msgspec.Raw(b"\xc0")


def a_router() -> Router:
    return Router(
        lambda sender, to: (sender, to) in OPEN_WAYS, lambda name: name in {"agent", "gate", "tools", "store"}
    )


def ask(number: int = 1, to: str = "gate", sender: str = "agent") -> Envelope:
    return Envelope(kind="stream", to=to, sender=sender, id=number)


def answer(kind: messages.base.Kind, number: int = 1, to: str = "agent", sender: str = "gate") -> Envelope:
    return Envelope(kind=kind, to=to, sender=sender, id=number)


def codes(deliveries: object) -> list[str]:
    found = []
    for envelope in list(deliveries):  # type: ignore[call-overload]
        problem = messages.decode(envelope.body)
        assert isinstance(problem, Problem)
        found.append(problem.code)
    return found


def test_a_request_goes_to_its_server_and_the_answer_back() -> None:
    router = a_router()

    assert list(router.route(ask(), "agent")) == [ask()]
    assert list(router.route(answer("reply"), "gate")) == [answer("reply")]


def test_at_work_is_who_serves_and_who_waits_but_not_for_a_subscription() -> None:
    router = a_router()
    for request in (ask(1), ask(2, to="store"), ask(1, sender="gate", to="tools")):
        list(router.route(request, request.sender))

    assert router.at_work(lambda _server: False) == {"agent", "gate", "store", "tools"}
    assert router.at_work(lambda server: server in {"gate", "tools"}) == {"agent", "store"}
    list(router.route(answer("reply", 2, sender="store"), "store"))
    assert router.at_work(lambda server: server in {"gate", "tools"}) == set()


def test_whom_somebody_waits_for_is_who_serves_its_requests() -> None:
    router = a_router()
    for number, server in enumerate(("gate", "store", "gate")):
        list(router.route(ask(number, to=server), "agent"))

    assert (router.waits_for("agent"), router.waits_for("gate")) == (("gate", "store"), ())
    list(router.route(answer("reply", 1, sender="store"), "store"))
    assert router.waits_for("agent") == ("gate",)


def test_nobody_speaks_in_anothers_name() -> None:
    router = a_router()

    (delivered,) = router.route(ask(sender="somebody else"), "agent")

    assert delivered.sender == "agent"


def test_a_closed_way_is_answered_with_not_allowed() -> None:
    router = a_router()

    assert codes(router.route(ask(to="tools"), "agent")) == ["not_allowed"]


def test_only_the_server_of_a_request_can_answer_it() -> None:
    router = a_router()
    list(router.route(ask(), "agent"))

    assert list(router.route(answer("reply", sender="store"), "store")) == []


def test_a_second_answer_is_dropped() -> None:
    router = a_router()
    list(router.route(ask(), "agent"))
    list(router.route(answer("reply"), "gate"))

    assert list(router.route(answer("reply"), "gate")) == []


def forward(number: int = 1, to: str = "tools") -> Envelope:
    return Envelope(kind="forward", to=to, sender="gate", id=number, asker="agent")


def test_a_forwarded_request_is_served_by_the_new_server_alone() -> None:
    router = a_router()
    list(router.route(ask(), "agent"))

    assert list(router.route(forward(), "gate")) == [ask(to="tools")]
    assert list(router.route(answer("reply"), "gate")) == []
    assert list(router.route(answer("item", sender="tools"), "tools")) == [answer("item", sender="tools")]


def test_nobody_can_forward_what_it_does_not_serve() -> None:
    router = a_router()
    list(router.route(ask(to="store"), "agent"))

    assert list(router.route(forward(), "gate")) == []


def test_a_cancel_finds_whoever_serves_the_request_now() -> None:
    router = a_router()
    list(router.route(ask(), "agent"))
    list(router.route(forward(), "gate"))

    cancel = Envelope(kind="cancel", to="gate", sender="agent", id=1)

    assert list(router.route(cancel, "agent")) == [Envelope(kind="cancel", to="tools", sender="agent", id=1)]
    assert router.cancelled == [Cancelled("tools", "agent", 1)]
    assert router.is_open("agent", 1, "tools")


def test_a_cancel_of_what_is_over_is_answered_at_once() -> None:
    router = a_router()
    cancel = Envelope(kind="cancel", to="gate", sender="agent", id=1)

    assert list(router.route(cancel, "agent")) == [Envelope(kind="cancelled", to="agent", sender="gate", id=1)]


def test_a_death_is_told_to_those_who_wait() -> None:
    router = a_router()
    list(router.route(ask(), "agent"))

    (told,) = router.died("gate")

    assert (told.to, told.id, codes([told])) == ("agent", 1, ["actor_died"])


def test_a_death_cancels_what_the_dead_had_asked() -> None:
    router = a_router()
    list(router.route(ask(), "agent"))

    assert router.died("agent") == [Envelope(kind="cancel", to="gate", sender="agent", id=1)]
    assert router.open_requests("gate") == 1


def cancel() -> Envelope:
    return Envelope(kind="cancel", to="gate", sender="agent", id=1)


def test_what_was_taken_back_is_not_handed_on() -> None:
    router = a_router()
    list(router.route(ask(), "agent"))
    list(router.route(cancel(), "agent"))

    assert list(router.route(forward(), "gate")) == [Envelope(kind="cancelled", to="agent", sender="tools", id=1)]
    assert router.open_requests("gate") == 0


def test_what_the_dead_had_asked_is_not_handed_on() -> None:
    router = a_router()
    list(router.route(ask(), "agent"))
    router.died("agent")

    assert [envelope.kind for envelope in router.route(forward(), "gate")] == ["cancelled"]


def test_an_answered_request_leaves_nothing_behind() -> None:
    router = a_router()
    list(router.route(ask(), "agent"))
    list(router.route(cancel(), "agent"))
    list(router.route(answer("cancelled"), "gate"))
    list(router.route(ask(), "agent"))

    assert list(router.route(forward(), "gate")) == [ask(to="tools")]
