"""A process that needs a ChatGPT token: `python -m ... HOME ISSUER` prints the one it got."""

import sys
from pathlib import Path

import trio

from actors.providers.auth.endpoint_credentials import SignIns
from actors.providers.auth.vault import Vault
from actors.providers.auth.ways.codex import Codex
from actors.providers.auth.ways.token_requests import Web
from actors.providers.endpoint import Endpoint


async def main(home: str, issuer: str) -> None:
    web = Web()
    endpoint = Endpoint(provider="codex", api="openai-responses", base_url="https://codex.example", sign_in="codex")
    async with trio.open_nursery() as nursery:
        sign_ins = SignIns(Vault(Path(home)), {"codex": Codex(issuer, web)}.get, nursery)
        print((await sign_ins.signed(endpoint)).key)
    await web.aclose()


if __name__ == "__main__":
    trio.run(main, *sys.argv[1:])
