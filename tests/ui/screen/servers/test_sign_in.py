"""Signing in to an MCP server from the screen, and out."""

import trio
from trio.testing import wait_all_tasks_blocked

from tests.ui.screen.servers.desk import ADDRESS, desk


async def test_signing_in_shows_the_address_and_takes_the_one_it_ended_at() -> None:
    async with desk("1", "login", "paste=nonsense", f"paste= {ADDRESS} ") as it:
        await it.servers.choose()

        assert it.shown == [r"https://service/\x1b[2J?a=b"]
        assert it.said == [
            ("Sign in to hub.", "info"),
            ("that is not where it ends.", "warning"),
            ("signed in to hub", "info"),
        ]
        assert [one.call.call_id for one in it.asked[2:4]] == ["sign in hub"] * 2
        assert "code=c" not in repr(it.said) + repr(it.asked)


async def test_signing_in_is_given_up_by_esc() -> None:
    async with desk("give up") as it:
        await it.servers.do("login", "hub")

        assert it.asked[0].escape == "give up"
        assert it.said[-1] == ("given up: there is no sign-in to hub", "info")


async def test_a_death_in_the_middle_of_a_sign_in_says_how_to_go_on() -> None:
    async with desk() as it, trio.open_nursery() as nursery:
        nursery.start_soon(it.servers.do, "login", "hub")
        await wait_all_tasks_blocked()
        it.network.kill("mcp:hub")
        await wait_all_tasks_blocked()

        assert it.said[-1] == (
            "the sign-in to hub broke off: mcp:hub died while serving this. Again: /mcp login hub",
            "error",
        )


async def test_signing_out_says_whether_there_was_anything() -> None:
    async with desk() as it:
        await it.servers.do("logout", "hub")

        assert it.said == [("signed out of hub", "info")]


async def test_one_sign_in_at_a_time() -> None:
    async with desk() as it, trio.open_nursery() as nursery:
        nursery.start_soon(it.servers.do, "login", "hub")
        await wait_all_tasks_blocked()
        await it.servers.do("login", "hub")
        it.choices.send_nowait("give up")

        assert it.said[1] == ("something is asked of hub already: wait for its end", "warning")
        assert len(it.asked) == 1
