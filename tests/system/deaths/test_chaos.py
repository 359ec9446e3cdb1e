"""Faults by message count and at random: whatever is killed whenever, the session ends well with the right transcript.

TROUPER_SOAK=200 runs so many random sessions instead of a few; TROUPER_SEED=N begins with that seed.
"""

import os
from random import Random

import pytest

from tests.system.harness import Event, Place, Session, answer, call, forgiving, lost, transcript, until
from tests.system.scenario import told

pytestmark = pytest.mark.slow
ANSWERS = (
    answer(
        "First a look.",
        call("read", path="a.txt"),
        call("glob", pattern="*.txt"),
        chunks=4,
        chunk_delay_s=0.01,
    ),
    answer("Then a change.", call("write", path="b.md", content="b\n"), chunks=3),
    answer(
        "",
        call("bash", command="sleep 0.1; echo ran | tee -a ran.log"),
        call("edit", path="a.txt", old="one", new="two"),
        thinking="Careful.",
    ),
)
KILLS = [
    *(("store", number) for number in (1, 3, 5, 8, 12)),
    *(("gate", number) for number in (1, 3, 4, 5, 7, 9)),
    *(("agent:main", number) for number in (1, 2, 6, 13)),
    *(("tools:main", number) for number in (1, 2, 3)),
    *(("providers", number) for number in (1, 3)),
    *(("ui", number) for number in (1, 5, 15)),
    *(("checkpoints", number) for number in (1, 2)),
]
ACTORS = sorted({actor for actor, _ in KILLS})
CARRIERS = {"agent:main", "gate", "tools:main"}
"""Through them a call goes: only a death of theirs makes its outcome unknown."""
EFFECTS = {
    "call_1_0": ("b.md", "", "b\n"),
    "call_2_0": ("ran.log", "", "ran\n"),
    "call_2_1": ("a.txt", "one\n", "two\n"),
}
"""The file that a call changes, what is in it before, and after."""
TOGETHER = {"call_0_0": "call_0", "call_0_1": "call_0"}
ROUNDED_S = 0.001
"""The times of the log."""
SESSIONS = int(os.environ.get("TROUPER_SOAK", "8"))
FIRST_SEED = int(os.environ.get("TROUPER_SEED", "1"))


def begin(place: Place, chaos: str) -> Session:
    (place.workspace / "a.txt").write_text("one\n")
    return place.prompt(place.script(*ANSWERS), TROUPER_CHAOS=chaos)


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> list[Event]:
    place = Place(tmp_path_factory.mktemp("undisturbed"))
    return told(place, begin(place, "").finish())


def check(place: Place, session: Session, expected: list[Event]) -> None:
    """Each call has its one result and its effect, once; of what died with its process it is said that nobody knows."""
    finished = session.finish()

    assert finished.code == 0, finished.err
    entries = place.entries(finished.events[-1]["session"])
    got = transcript(entries)
    assert forgiving(got, expected) == expected
    assert [event["type"] for event in finished.events].count("result") == 1
    for call_id, (name, before, after) in EFFECTS.items():
        path = place.workspace / name
        may_be = {before, after} if call_id in lost(got) else {after}
        assert (path.read_text() if path.exists() else "") in may_be, name
    check_lost(lost(got), place, entries)


def check_lost(calls: set[str], place: Place, entries: list[Event]) -> None:
    """They had begun, something that carries calls died after that, and one death costs those that ran together."""
    log = [line for line in place.log() if line["actor"] in CARRIERS]
    begun_again = {(line["actor"], line["life"] - 1) for line in log if line["event"] == "started"}
    ended = [line for line in log if line["event"] == "ended"]
    deaths = [line["at"] for line in ended if (line["actor"], line["life"]) in begun_again]
    begun = {entry["body"]["call_id"]: entry["at"] for entry in entries if entry["body"]["type"] == "CallStarted"}
    last_death = max(deaths, default=0.0) + ROUNDED_S
    assert {call for call in calls if begun[call] > last_death} == set()
    assert len({TOGETHER.get(call, call) for call in calls}) <= len(deaths)


@pytest.mark.parametrize(("actor", "number"), KILLS)
def test_a_kill_at_any_message_costs_nothing(place: Place, expected: list[Event], actor: str, number: int) -> None:
    session = begin(place, f"{actor}:kill@message:{number}")

    check(place, session, expected)
    died = [line["actor"] for line in place.log() if line["event"] == "ended" and line["life"] == 1 and line["why"]]
    assert actor in died


@pytest.mark.parametrize("seed", range(FIRST_SEED, FIRST_SEED + SESSIONS))
def test_random_kills_lose_nothing(place: Place, expected: list[Event], seed: int) -> None:
    random = Random(seed)
    session = begin(place, ",".join(rule(random) for _ in range(random.randint(1, 4))))
    for _ in range(random.randint(0, 2)):
        session.wait_for(random.choice(("session", "text", "tool_call", "message", "usage")))
        session.kill_if_alive(random.choice(ACTORS))

    check(place, session, expected)


def rule(random: Random) -> str:
    when = f"message:{random.randint(1, 20)}" if random.random() < 0.7 else f"time:{random.uniform(0.01, 0.6):.3f}"
    return f"{random.choice(ACTORS)}:kill@{when}"


def test_a_killed_agent_comes_back_to_its_session_although_another_is_the_latest_by_then(place: Place) -> None:
    quick = place.script(name="quick")
    slow = place.script(answer(), answer("Wait.", call("bash", command=": > reached; sleep 300")), name="slow")
    first = place.prompt(quick).finish().events[-1]["session"]

    resumed = place.prompt(slow, "-c")
    until((place.workspace / "reached").exists)
    second = place.prompt(quick).finish().events[-1]["session"]
    resumed.kill("agent:main")
    finished = resumed.finish()

    assert first != second
    assert finished.events[-1]["session"] == first
    assert [event["text"] for event in finished.events if event["type"] == "message"] == ["Wait.", "Done."]
