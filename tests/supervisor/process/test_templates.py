"""Templates of kinds of actors, where none can be had."""

import socket
from collections.abc import Sequence

import pytest

from supervisor.process.spawner import Process, Spawner
from supervisor.process.templates import Templates


class Full(Spawner):
    """As where there are no more descriptors."""

    def __init__(self) -> None:
        super().__init__("fork", "", [])
        self.started: list[str] = []

    def exec_zygote(self) -> None:
        raise OSError(24, "Too many open files")

    async def start(self, name: str, modules: Sequence[str], *, secrets: bool) -> tuple[Process, socket.socket]:
        self.started.append(name)
        raise OSError(24, f"Too many open files for {modules} {secrets}")


async def test_a_kind_without_its_template_is_started_all_the_same() -> None:
    full = Full()
    templates = Templates(Spawner("exec", "", []), lambda _modules: full)

    await templates.warm(("heavy",))
    with pytest.raises(OSError, match="Too many"):
        await templates.start(("heavy",), "heavy:1", ["heavy"], secrets=False)

    assert full.started == ["heavy:1"]  # in a fresh interpreter, if there were room for one
