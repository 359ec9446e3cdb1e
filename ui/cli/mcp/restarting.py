"""`trouper mcp restart`: in the sessions that run now, each through the door of its program."""

import argparse
from collections import Counter
from collections.abc import Iterator, Sequence

import trio

from actors.common.doors import visitor
from actors.common.doors.lines import CannotAsk, Gone
from actors.common.doors.visitor import Program
from actors.common.plurals import how_many, named
from actors.messages.mcp import RestartServers, ServersRestarted
from ui.cli.mcp.here import Here, meant
from ui.cli.running_programs import There, there, who
from ui.common.exit_codes import DONE, FAILED, INTERRUPTED
from ui.common.harmless import one_line
from ui.headless import one_answer

NO_SESSION = "no session runs now; the next one starts its servers anew."
NOTHING = "no server of these sessions runs; the first call of one starts it anew."
NEXT = "What was added or trusted since a session began counts in the next one."


class Answers:
    """What the programs said that run now."""

    def __init__(self, found: There) -> None:
        self.silent = list(found.silent)
        """Those that could not be asked, in words for people."""
        self.said: list[tuple[Program, ServersRestarted]] = []

    def add(self, program: Program, said: ServersRestarted) -> None:
        self.said.append((program, said))

    @property
    def counts(self) -> Counter[str]:
        """In how many sessions each was restarted."""
        return Counter(name for _, said in self.said for name in said.restarted)

    @property
    def had(self) -> set[str]:
        """Servers that any of them has."""
        return {name for _, said in self.said for name in (*said.restarted, *said.failed)}

    def troubles(self, names: Sequence[str]) -> Iterator[str]:
        yield from self.silent
        for program, said in self.said:
            yield from (f"{name} was not restarted in {who(program)}: {why}" for name, why in said.failed.items())
        for name in names:
            if without := [who(program) for program, said in self.said if name in said.missing]:
                do = "does" if len(without) == 1 else "do"
                yield f"{_sessions(len(without))} {do} not have {name}: {named(without)}. {NEXT}"


class Restart:
    SUMMARY = "end servers and start them anew, in the sessions that run now; none named: all that run there"

    def arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("names", metavar="SERVER", nargs="*", help="see trouper mcp list")

    def main(self, options: argparse.Namespace, place: Here) -> int:
        names = tuple(dict.fromkeys(options.names))
        try:
            answers = trio.run(_answers, str(place.home), names)
        except KeyboardInterrupt:
            return INTERRUPTED
        counts = answers.counts
        done = [f"{name} was restarted in {_sessions(counts[name])}\n" for name in sorted(counts)]
        code = one_answer.printed("".join(done))
        for name in names:
            if name not in answers.had:
                meant(place, name)
        for line in answers.troubles(names):
            one_answer.complain(one_line(line))
        if not counts and not (names and answers.said):
            one_answer.complain(f"nothing was restarted: {_why(answers)}")
        return code or (DONE if counts and counts.keys() >= set(names) and not answers.silent else FAILED)


RESTART = Restart()


def _sessions(number: int) -> str:
    return how_many(number, "session")


def _why(answers: Answers) -> str:
    if answers.silent:
        return "who has them could not be asked."
    return NOTHING if answers.said else NO_SESSION


async def _answers(home: str, names: tuple[str, ...]) -> Answers:
    """All at once: one that is stopped holds up no other."""
    found = await there(home)
    answers = Answers(found)

    async def ask(program: Program) -> None:
        try:
            answers.add(program, await visitor.restart_servers(program.path, RestartServers(servers=names)))
        except CannotAsk as why:
            if isinstance(why, Gone) and not program.lives:
                return  # it has just ended
            answers.silent.append(f"{who(program)} cannot be asked: {why}")

    async with trio.open_nursery() as nursery:
        for program in {program.told.pid: program for program in found.programs}.values():  # a batch has many doors
            nursery.start_soon(ask, program)
    answers.said.sort(key=lambda each: each[0].told.pid)
    return answers
