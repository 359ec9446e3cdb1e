"""A tree of real actors that is led by a front of the tests or the bench, in the process that calls it."""

from collections.abc import Iterable
from pathlib import Path

import msgspec
import trio

from actors.settings.config import Settings, make_home, without_secrets
from supervisor import tree
from supervisor.child_spec import ChildSpec
from supervisor.log import Log
from supervisor.process.spawner import Spawner
from supervisor.session_plan import Plan
from supervisor.supervise import Supervisor
from tests import ROOT

LAUNCHER = ROOT / "tests" / "fakes" / "launch.py"


def run(
    specs: tuple[ChildSpec, ...], settings: Settings, *, launcher: Path = LAUNCHER, preload: Iterable[str] = ()
) -> int:
    """Its exit code, once the front has ended it. preload: modules that forked actors have from the start."""
    home = Path(settings.home)
    make_home(home)
    spawner = Spawner("fork", str(launcher), [*preload])
    spawner.fork_zygote()
    plan = Plan(
        tree=specs,
        start=tree.started_at_once(specs),
        settings=msgspec.Raw(msgspec.msgpack.encode(settings)),
        without_secrets=msgspec.Raw(msgspec.msgpack.encode(without_secrets(settings))),
        session_id=settings.session_id,
        run_id=settings.run_id,
        cwd=settings.cwd,
        home=home,
    )
    return trio.run(Supervisor(plan, spawner, Log(home, settings.run_id)).run)
