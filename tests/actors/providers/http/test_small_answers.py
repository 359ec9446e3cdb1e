"""Answers that are small when all is well: never more of them than they may have, compressed or not."""

import gzip

import pytest

from actors.providers.faults.fault import ServiceFailed
from actors.providers.http import small_answers
from actors.providers.http.pools import Call, Pools
from tests.fakes.odd_server import open_odd_server

MOST = 1000
GZIP = {"content-encoding": "gzip"}


async def fetched(content: bytes, headers: dict[str, str]) -> tuple[int, bytes]:
    pools, failures = Pools(), []
    async with open_odd_server(content, headers) as url:
        try:
            return await small_answers.body(pools, Call(url=url), MOST)
        except ServiceFailed as error:
            failures.append(error)  # a nursery would make a group of it
        finally:
            await pools.aclose()
    raise failures[0]


@pytest.mark.parametrize(
    ("content", "headers"), [(b"x" * MOST, {}), (gzip.compress(b"x" * MOST), GZIP)], ids=["plain", "compressed"]
)
async def test_as_much_as_it_may_have_is_read(content: bytes, headers: dict[str, str]) -> None:
    assert await fetched(content, headers) == (200, b"x" * MOST)


@pytest.mark.parametrize(
    ("content", "headers"),
    [
        (b"x" * (MOST + 1), {}),
        (gzip.compress(b"x" * 10_000_000), GZIP),
        (b"plain words", GZIP),
        (gzip.compress(b"x" * MOST)[:-9], GZIP),
        (b"x", {"content-encoding": "gzip, gzip"}),
        (b"x", {"content-encoding": "br"}),
    ],
    ids=["too long", "too long when unpacked", "damaged", "cut off", "compressed twice", "another encoding"],
)
async def test_anything_else_is_a_fault(content: bytes, headers: dict[str, str]) -> None:
    with pytest.raises(ServiceFailed):
        await fetched(content, headers)
