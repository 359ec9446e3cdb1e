"""Tokens are renewed in time, once, and a sign-in that has ended is said so."""

import json
from pathlib import Path

import msgspec
import pytest
import trio
from msgspec.structs import replace

from actors.errors import Failed
from actors.providers.auth.vault import SignedIn, Vault
from actors.providers.endpoint import Endpoint
from actors.providers.faults.fault import Passing
from tests.actors.providers.auth.signing import CODEX, keep, open_sign_ins
from tests.fakes.sign_in_server import ACCOUNT, Said, open_sign_in_server, refused


def kept(vault: Vault) -> SignedIn:
    entry = vault.entry("codex")
    assert isinstance(entry, SignedIn)
    return entry


async def test_a_token_with_time_left_is_used_as_it_is(tmp_path: Path) -> None:
    vault = Vault(tmp_path)
    async with open_sign_in_server() as server, open_sign_ins(vault, server) as sign_ins:
        entry = keep(vault, server, left_s=3600.0)

        signed = await sign_ins.signed(CODEX)

        assert signed == replace(CODEX, key=entry.access, headers={"chatgpt-account-id": ACCOUNT})
        assert server.asked == []


async def test_an_endpoint_that_needs_no_sign_in_stays_as_it_is(tmp_path: Path) -> None:
    plain = Endpoint(provider="openai", api="openai-chat", base_url="https://x.example", key="k")
    async with open_sign_in_server() as server, open_sign_ins(Vault(tmp_path), server) as sign_ins:
        assert await sign_ins.signed(plain) is plain
        assert await sign_ins.renewed(plain) is None


async def test_nobody_signed_in_is_told_how(tmp_path: Path) -> None:
    async with open_sign_in_server() as server, open_sign_ins(Vault(tmp_path), server) as sign_ins:
        with pytest.raises(Failed) as failure:
            await sign_ins.signed(CODEX)

    assert failure.value.problem.code == "no_credentials"
    assert failure.value.problem.hint == "Sign in: trouper auth login codex"


async def test_many_who_ask_at_once_renew_once(tmp_path: Path) -> None:
    vault = Vault(tmp_path)
    keys: set[str] = set()
    async with open_sign_in_server() as server, open_sign_ins(vault, server) as sign_ins:
        old = keep(vault, server)

        async def ask() -> None:
            keys.add((await sign_ins.signed(CODEX)).key)

        async with trio.open_nursery() as nursery:
            for _ in range(20):
                nursery.start_soon(ask)

        assert server.renewals() == 1
        assert not server.ended
    assert keys == {kept(vault).access}
    assert kept(vault).access != old.access
    assert kept(vault).refresh != old.refresh


async def test_what_was_renewed_beside_us_is_used(tmp_path: Path) -> None:
    vault = Vault(tmp_path)
    async with open_sign_in_server() as server, open_sign_ins(vault, server) as sign_ins:
        keep(vault, server)
        signed = await sign_ins.signed(CODEX)
        other = keep(Vault(tmp_path), server, left_s=3600.0)

        renewed = await sign_ins.renewed(signed)

        assert renewed is not None
        assert renewed.key == other.access
        assert server.renewals() == 1


async def test_a_refused_token_is_renewed_although_it_had_time_left(tmp_path: Path) -> None:
    vault = Vault(tmp_path)
    async with open_sign_in_server() as server, open_sign_ins(vault, server) as sign_ins:
        keep(vault, server, left_s=3600.0)
        signed = await sign_ins.signed(CODEX)

        renewed = await sign_ins.renewed(signed)

        assert renewed is not None
        assert renewed.key == kept(vault).access != signed.key
        assert server.renewals() == 1


async def test_who_stops_waiting_does_not_stop_the_renewal(tmp_path: Path) -> None:
    vault = Vault(tmp_path)
    async with open_sign_in_server() as server:
        server.hold = trio.Event()
        async with open_sign_ins(vault, server) as sign_ins:
            old = keep(vault, server)
            async with trio.open_nursery() as nursery:
                nursery.start_soon(sign_ins.signed, CODEX)
                await server.holding.wait()
                nursery.cancel_scope.cancel()
            server.hold.set()

            await sign_ins.signed(CODEX)

        assert server.renewals() == 1
    assert kept(vault).refresh != old.refresh


async def test_at_the_end_a_renewal_is_still_written_down(tmp_path: Path) -> None:
    vault = Vault(tmp_path)
    async with open_sign_in_server() as server:
        server.hold = trio.Event()
        async with trio.open_nursery() as nursery:

            async def session() -> None:
                async with open_sign_ins(vault, server) as sign_ins:
                    await sign_ins.signed(CODEX)

            old = keep(vault, server)
            nursery.start_soon(session)
            await server.holding.wait()
            nursery.cancel_scope.cancel()
            server.hold.set()

    assert kept(vault).refresh == "refresh-2-planted" != old.refresh


FINAL = [refused(401, code) for code in ("refresh_token_expired", "refresh_token_reused", "refresh_token_invalidated")]


@pytest.mark.parametrize("said", [*FINAL, Said(400, {"error": "invalid_grant"})], ids=lambda said: str(said.body))
async def test_a_sign_in_that_has_ended_is_not_tried_again(tmp_path: Path, said: Said) -> None:
    vault = Vault(tmp_path)
    async with open_sign_in_server() as server, open_sign_ins(vault, server) as sign_ins:
        keep(vault, server)
        server.faults = [said]
        problems = []
        for _ in range(2):
            with pytest.raises(Failed) as failure:
                await sign_ins.signed(CODEX)
            problems.append(failure.value.problem)

        assert server.renewals() == 1
    assert {problem.code for problem in problems} == {"no_credentials"}
    assert all("trouper auth login codex" in problem.hint for problem in problems)


async def test_a_passing_fault_costs_nothing_while_the_token_is_good(tmp_path: Path) -> None:
    vault = Vault(tmp_path)
    async with open_sign_in_server() as server, open_sign_ins(vault, server) as sign_ins:
        old = keep(vault, server)
        server.faults = [Said(503)]

        first = await sign_ins.signed(CODEX)
        second = await sign_ins.signed(CODEX)

    assert first.key == old.access
    assert second.key == kept(vault).access != old.access


async def test_a_passing_fault_is_said_when_the_token_is_over(tmp_path: Path) -> None:
    vault = Vault(tmp_path)
    async with open_sign_in_server() as server, open_sign_ins(vault, server) as sign_ins:
        old = keep(vault, server, left_s=-1.0)
        server.faults = [Said(503, {"error": {"message": f"overloaded {old.refresh} <b>"}})]

        with pytest.raises(Passing) as failure:
            await sign_ins.signed(CODEX)

    assert failure.value.problem.code == "server_error"
    assert "planted" not in str(failure.value)
    assert kept(vault) == old


async def test_an_issuer_that_cannot_be_reached_is_worth_waiting_for(tmp_path: Path) -> None:
    vault = Vault(tmp_path)
    async with open_sign_in_server() as gone:
        keep(vault, gone, left_s=-1.0)
        url = gone.url
    async with open_sign_ins(vault, gone) as sign_ins:
        with pytest.raises(Passing) as failure:
            await sign_ins.signed(CODEX)

    assert failure.value.fault.code == "unreachable"
    assert failure.value.fault.again == "while it lasts"
    assert url not in str(failure.value)


async def test_each_of_the_three_tokens_may_be_missing(tmp_path: Path) -> None:
    vault = Vault(tmp_path)
    async with open_sign_in_server() as server, open_sign_ins(vault, server) as sign_ins:
        old = keep(vault, server)
        server.faults = [Said(200, {"access_token": "opaque", "expires_in": 900})]

        await sign_ins.signed(CODEX)

    new = kept(vault)
    assert (new.access, new.refresh, new.account_id) == ("opaque", old.refresh, ACCOUNT)
    assert new.expires_at is not None


async def test_a_token_is_never_renewed_at_somebody_else(tmp_path: Path) -> None:
    vault = Vault(tmp_path)
    async with open_sign_in_server() as server, open_sign_ins(vault, server) as sign_ins:
        entry = keep(vault, server)
        elsewhere = msgspec.to_builtins(msgspec.structs.replace(entry, issuer="https://auth.openai.com"))
        (tmp_path / "auth.json").write_text(json.dumps({"codex": elsewhere}))

        with pytest.raises(Failed, match="needs a sign-in"):
            await sign_ins.signed(CODEX)

        assert server.asked == []
