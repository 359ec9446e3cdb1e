"""The other agents that are here: in the folder that BENCH_PEERS names, else on the PATH."""

import os
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path

from tests.bench.agents import claude, codex, pi
from tests.bench.agents.agent import Agent
from tests.bench.place import Place

OTHERS: Mapping[str, Callable[[str, Path, Place], Agent]] = {
    "codex": codex.agent,
    "pi": pi.agent,
    "claude": claude.agent,
}
HOW_TO_GET_THEM = "npm install --prefix FOLDER @openai/codex @mariozechner/pi-coding-agent @anthropic-ai/claude-code"


def found(environment: Mapping[str, str]) -> dict[str, str]:
    """The programs, by agent."""
    where = environment.get("BENCH_PEERS") or environment.get("PATH", os.defpath)
    programs = {name: shutil.which(name, path=where) for name in OTHERS}
    return {name: str(Path(program).absolute()) for name, program in programs.items() if program}


def others(place: Place, environment: Mapping[str, str]) -> list[Agent]:
    """Each with a home of its own."""
    programs = found(environment)
    return [OTHERS[name](program, place.top / "others" / name, place) for name, program in programs.items()]
