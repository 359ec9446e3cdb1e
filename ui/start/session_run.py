"""From settings and a front to a running supervisor, until the session has ended."""

import gc
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from actors.settings import brought, config
from actors.settings.config import Settings
from ui.common.exit_codes import INTERRUPTED
from ui.common.harmless import sanitise
from ui.common.usage_errors import Usage
from ui.start.launch_state import Launch, spawn_way

if TYPE_CHECKING:
    from supervisor.child_spec import ChildSpec
    from supervisor.process.spawner import Spawner


class Run(msgspec.Struct, frozen=True, kw_only=True):
    """One session to be run to its end."""

    settings: Settings
    launch: Launch
    entry: str
    """MODULE:FUNCTION of the front."""
    actors: Sequence[str] | None = None
    """Only these; None: all."""
    main_agent: bool = True
    draws: bool = False
    """The front draws on the terminal, in no mode of its own: it is stopped with its job."""
    faults: str = ""
    """Fault injection instead of TROUPER_CHAOS."""


def supervise(run: Run) -> int:
    """Returns the exit code. Raises Usage."""
    from supervisor import tree
    from supervisor.process import chaos

    try:
        parsed = chaos.parse(run.faults or os.environ.get("TROUPER_CHAOS", ""))
    except chaos.BadChaos as error:
        raise Usage(str(error)) from error
    terminal = run.launch.terminal
    front_spec = tree.front(run.entry, terminal=terminal is not None or run.draws)
    specs = tree.session(front_spec, main_agent=run.main_agent)
    start = [name for name in tree.started_at_once(specs) if run.actors is None or name in run.actors]
    spawner = run.launch.spawner or _spawner(run)
    if terminal is None and "gate" in start:
        for notice in brought.notices(run.settings):
            sys.stderr.write(f"trouper: {sanitise(notice)}\n")

    import trio

    from supervisor.log import Log
    from supervisor.session_plan import Plan
    from supervisor.supervise import Supervisor

    settings = msgspec.structs.replace(run.settings, front=msgspec.Raw(b"\xc0"))
    plan = Plan(
        tree=specs,
        start=start,
        settings=msgspec.Raw(msgspec.msgpack.encode(settings)),
        without_secrets=msgspec.Raw(msgspec.msgpack.encode(config.without_secrets(settings))),
        of_front=msgspec.Raw(msgspec.msgpack.encode(config.without_secrets(run.settings))),
        session_id=settings.session_id,
        run_id=settings.run_id,
        cwd=settings.cwd,
        home=Path(settings.home),
        faults=parsed,
        go_on=way_on(start),
        on_terminal_death=run.launch.screen_died,
    )
    gc.enable()
    supervisor = Supervisor(plan, spawner, Log(Path(settings.home), settings.run_id))
    code = INTERRUPTED
    try:
        code = trio.run(supervisor.run)
    except* KeyboardInterrupt:
        pass  # it came before anybody could be told; what was started ends with us
    _say_farewell(run.launch, supervisor.farewell)
    _keep_code(specs)
    return code


def _say_farewell(launch: Launch, text: str) -> None:
    launch.give_terminal_back()
    if text:
        sys.stderr.write(f"trouper: {sanitise(text)}\n")


def _keep_code(specs: Sequence["ChildSpec"]) -> None:
    """For the next start: also what runs in other processes than this."""
    from actors.common.lean import code_cache
    from supervisor.tree import SERVICE_MODULES

    modules = [*SERVICE_MODULES, *(module for spec in specs if not spec.template for module in spec.modules)]
    cache = code_cache.in_use()
    if cache is not None and cache.lacks(modules):
        from actors.common.lean import code_cache_writer

        code_cache_writer.keep(cache, modules)


def way_on(actors: Sequence[str]) -> str:
    """After a session of these was given up."""
    return "The session is saved; go on with: trouper -c" if "agent:main" in actors else ""


def _spawner(run: Run) -> "Spawner":
    """For commands that had none made early. Raises Usage.

    The config is read by now: a zygote that is forked here would hand on its secrets, so each starts afresh.
    """
    from supervisor.process.spawner import Spawner

    way = spawn_way()
    if way not in {"fork", "exec"}:
        raise Usage(f'TROUPER_SPAWN is "{way}"; it can be fork or exec.')
    spawner = Spawner("exec", run.launch.file, [])
    spawner.fork_zygote()
    return spawner
