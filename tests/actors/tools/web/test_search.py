"""`web_search` as the model sees it; who searches is the providers' matter."""

from pathlib import Path

import pytest
import trio

from actors.confinement.errors import ToolFailed
from actors.confinement.processes.process_trees import Processes
from actors.errors import failed
from actors.messages.model import Found, FoundPage, SearchWeb
from actors.tools.base import Outcome, Worker
from actors.tools.web.search import FRAME, WEB_SEARCH, preview
from actors.tools.workspace.folder import open_workspace

PAGES = (
    FoundPage(url="https://a.example/1", title="One", excerpt="First"),
    FoundPage(url="https://b.example/2", title=""),
)


class Service:
    def __init__(self, *pages: FoundPage) -> None:
        self.asked: list[SearchWeb] = []
        self._pages = pages

    async def search(self, wanted: SearchWeb) -> Found:
        self.asked.append(wanted)
        await trio.lowlevel.checkpoint()
        return Found(service="brave", pages=self._pages)


async def no_report(_text: str) -> None:
    raise AssertionError("it says nothing on the way")


@pytest.fixture
def worker(tmp_path: Path, nursery: trio.Nursery) -> Worker:
    return Worker(open_workspace(str(tmp_path), str(tmp_path / "home")), Processes(), nursery)


async def searched(worker: Worker, service: Service, arguments: str) -> Outcome:
    asking = Worker(worker.workspace, worker.processes, worker.nursery, search=service.search)
    return await WEB_SEARCH.run(WEB_SEARCH.parse(arguments), asking, no_report)


async def test_results_are_numbered_and_marked_as_strangers(worker: Worker) -> None:
    service = Service(*PAGES)

    found = await searched(worker, service, '{"query": " trio\\u0007  scopes ", "limit": "2"}')

    assert service.asked == [SearchWeb(query="trio\\x07 scopes", limit=2)]
    assert found.output == (
        f"{FRAME}\n\n1. One\n   https://a.example/1\n   First\n\n2. https://b.example/2\n   https://b.example/2"
    )
    assert found.summary == "2 results of brave"


async def test_nothing_found_says_what_to_try(worker: Worker) -> None:
    found = await searched(worker, Service(), '{"query": "zzz"}')

    assert found.output == "brave found nothing for: zzz. Try other words."


async def test_why_a_search_failed_is_for_the_model(worker: Worker) -> None:
    async def refuse(_wanted: SearchWeb) -> Found:
        raise failed("rate_limited", "brave: HTTP 429.", "Wait a little.")

    asking = Worker(worker.workspace, worker.processes, worker.nursery, search=refuse)
    with pytest.raises(ToolFailed, match=r"The search failed: brave: HTTP 429\. Wait a little\."):
        await WEB_SEARCH.run(WEB_SEARCH.parse('{"query": "x"}'), asking, no_report)


@pytest.mark.parametrize("arguments", ['{"query": ""}', '{"query": "x", "limit": 11}', '{"limit": 1}', "{}"])
def test_odd_arguments_show_the_shape(arguments: str) -> None:
    with pytest.raises(ToolFailed, match="Expected JSON"):
        WEB_SEARCH.parse(arguments)


def test_the_preview_is_the_query() -> None:
    assert preview(WEB_SEARCH.parse('{"query": "trio"}'), None).title == "search the web for: trio"
