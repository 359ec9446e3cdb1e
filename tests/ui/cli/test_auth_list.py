"""`trouper auth list`: when a sign-in ends."""

import re

import pytest

from actors.mailbox import Mailbox
from actors.messages.auth import Credential, Credentials
from tests.fakes.network import open_network
from tests.ui.headless.fronts import exit_code, settings
from ui.cli.subcommands import auth
from ui.cli.subcommands.auth import Wanted


@pytest.mark.parametrize(
    ("at", "shown"),
    [
        (None, r"a file$"),
        (1.0, r"a file  has ended: sign in again$"),
        (4e9, r"a file  ends 2096-10-0\d \d\d:\d\d$"),
        (1e300, r"a file  does not end$"),
        (1e17, r"a file  does not end$"),
    ],
)
async def test_when_it_ends(at: float | None, shown: str, capfd: pytest.CaptureFixture[str]) -> None:
    one = Credential(provider="codex", kind="sign-in", place="a file", expires_at=at)

    async def providers(mailbox: Mailbox) -> None:
        async for request in mailbox:
            request.reply(Credentials(credentials=(one,)))

    async with open_network() as network:
        supervisor = network.mailbox("supervisor")
        network.start("providers", providers)
        network.start("ui", lambda mailbox: auth.run(mailbox, settings(Wanted(what="list"))))
        code = await exit_code(supervisor)

    assert code == 0
    assert re.search(shown, capfd.readouterr().out.rstrip("\n"))
