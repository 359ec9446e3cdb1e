"""All that is found: those that know are asked, services and the sandbox are tried, and this machine is looked at."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import trio

from actors.mailbox import Mailbox
from actors.messages.tool import Mode
from actors.settings.config import Settings
from ui.common.doctor import (
    configuration,
    database,
    home,
    leftovers,
    programs,
    sandbox,
    servers,
    services,
    terminal,
    workspace,
)
from ui.common.doctor.parts import Part, in_thread, side_by_side
from ui.common.doctor.rows import Report, Row, Setting
from ui.common.modes import SHORT

POLICY: dict[Mode, str] = {
    "default": "looks unasked; asks before it changes or runs anything else",
    "accept-edits": "looks and edits in the workspace unasked; asks before other commands",
    "plan": "only looks; nothing is changed until you approve its plan",
    "auto": "edits and runs in the sandbox unasked; asks before it leaves the sandbox and before what is dangerous",
    "research": "only looks",
}
NETWORK = "see whether the network, a proxy or the service itself is slow; then run this again"
WORKER = "see TROUPER_HOME/logs/trouper.log; a slow machine may just need more time"
SERVICES_S = 20.0
LAYERS_S = 3.0
SERVERS_S = servers.WITHIN_S + 8.0


@dataclass(frozen=True)
class Here:
    """What only the command itself knows."""

    interactive: bool
    broken: str = ""
    """Why the config files cannot be used: the settings are those without them."""
    online: bool = False
    """All services are asked, not the model's alone."""
    before: tuple[Row, ...] = ()
    """As of `before`; none: it is looked for now."""


def before(settings: Settings) -> tuple[Row, ...]:
    """What a session tidies up as it begins: looked for before there is one."""
    return (*services.kept_rows(settings), *leftovers.rows(Path(settings.home)))


async def found(mailbox: Mailbox, settings: Settings, here: Here) -> Report:
    """Nothing that is wrong raises: it is a finding."""
    online = Part("service", partial(services.others, mailbox, settings), NETWORK, SERVICES_S)
    asked = [
        Part("model", partial(services.model, mailbox, settings), NETWORK, SERVICES_S),
        Part("credentials", partial(services.credentials, mailbox), WORKER),
        *([online] if here.online else []),
        Part("sandbox", partial(sandbox.rows, mailbox, settings), WORKER, SERVICES_S),
        Part("mcp", partial(servers.rows, mailbox, settings, online=here.online), WORKER, SERVERS_S),
    ]
    rows = await side_by_side([*_of_session(settings, here), *asked, *_of_machine(settings, here)])
    return Report(checks=rows, config=await _layers(settings))


async def without_actors(settings: Settings, here: Here, why: str) -> Report:
    """Where no session can run: what can be looked at all the same. why: it cannot."""
    rows = await side_by_side([*_of_session(settings, here), *_of_machine(settings, here)])
    if any(row.name == "home" and row.state == "problem" for row in rows):
        return Report(checks=rows, config=await _layers(settings))
    cause = Row(name="home", state="problem", found=why, advice=f"until then no session can run; {home.ELSEWHERE[3:]}")
    return Report(checks=[cause, *rows], config=await _layers(settings))


async def _layers(settings: Settings) -> Sequence[Setting]:
    """None where the disk does not answer."""
    with trio.move_on_after(LAYERS_S):
        look = partial(configuration.layers, settings)
        return await trio.to_thread.run_sync(look, abandon_on_cancel=True)
    return ()


def _of_session(settings: Settings, here: Here) -> list[Part]:
    """What is known of it without asking anybody."""

    async def told() -> list[Row]:
        asks = "yes" if here.interactive else "no: what would be asked is refused"
        mode = Row(name="mode", found=f"{SHORT[settings.mode]}: {POLICY[settings.mode]}")
        return [mode, Row(name="interactive", found=asks)]

    return [
        Part("workspace", in_thread(partial(workspace.rows, settings))),
        Part("config", in_thread(partial(configuration.rows, settings, here.broken))),
        Part("mode", told),
    ]


def _of_machine(settings: Settings, here: Here) -> list[Part]:
    async def left() -> Sequence[Row]:
        return here.before or await in_thread(partial(before, settings))()

    return [
        Part("home", in_thread(partial(home.rows, settings))),
        Part("database", in_thread(partial(database.rows, settings))),
        Part("left over", left),
        Part("terminal", in_thread(terminal.rows)),
        Part("version", in_thread(partial(programs.rows, settings))),
    ]
