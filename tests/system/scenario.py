"""One turn that has everything: a pause before the first word, streams, a command that waits twice, a write."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.system.harness import Event, Fifo, Finished, Place, Session, answer, call, forgiving, lost, transcript, until

WAITING = "echo started; : > {fifo}.reached; read word < {fifo}; echo $word"
FIRST = "call_0_0"
"""The id of the first command's call."""
ANSWERS = (
    answer(
        "I will look at it word by word.",
        call("bash", command=WAITING.format(fifo="first")),
        chunks=8,
        chunk_delay_s=0.02,
        delay_s=0.15,
    ),
    answer("Now I write it down.", call("write", path="notes.txt", content="found\n"), chunks=4, chunk_delay_s=0.01),
    answer("And once more.", call("bash", command=WAITING.format(fifo="last"))),
)
MOMENTS = ("idle", "streaming", "in a call")


@dataclass(frozen=True)
class Waiting:
    """The session with what it waits for."""

    session: Session
    place: Place
    first: Fifo
    last: Fifo

    def reach(self, moment: str) -> None:
        match moment:
            case "idle":
                self.session.wait_for("session")
            case "streaming":
                self.session.wait_for("text")
            case _:
                self._until_waiting("first")

    def go_on(self, *, first_runs: bool) -> dict[str, int]:
        """Through both commands; who has been restarted by the time the second one waits."""
        if first_runs:
            self._until_waiting("first")
            self.first.let_go()
        self._until_waiting("last")
        restarts = self.session.restarts()
        self.last.let_go()
        return restarts

    def _until_waiting(self, fifo: str) -> None:
        until((self.place.workspace / f"{fifo}.reached").exists)


@contextmanager
def waiting(place: Place, **environment: str) -> Iterator[Waiting]:
    first, last = Fifo(place.workspace / "first"), Fifo(place.workspace / "last")
    try:
        yield Waiting(place.prompt(place.script(*ANSWERS), **environment), place, first, last)
    finally:
        first.close()
        last.close()


def told(place: Place, finished: Finished) -> list[Event]:
    """The transcript of the session that has just finished."""
    return transcript(place.entries(finished.events[-1]["session"]))


def undisturbed(top: Path) -> list[Event]:
    """The transcript when nothing dies."""
    place = Place(top)
    with waiting(place) as run:
        assert run.go_on(first_runs=True) == {}
        return told(place, run.session.finish())


def check(place: Place, finished: Finished, expected: list[Event], unknown: tuple[str, ...] = ()) -> None:
    """It ended well, the transcript is right, and what was written is there."""
    got = told(place, finished)

    assert finished.code == 0, finished.err
    assert forgiving(got, expected) == expected
    assert lost(got) <= set(unknown)
    assert [event["type"] for event in finished.events].count("result") == 1
    assert (place.workspace / "notes.txt").read_text() == "found\n"
