"""The stored request bodies of each wire format, tests/data/requests/FORMAT-CONVERSATION.json.

    python -m tests.actors.providers.formats.snapshots [anthropic] [responses] [chat]

writes them anew; look at the difference before you keep it.
"""

import sys
from collections.abc import Callable, Mapping

import msgspec
from msgspec.structs import replace

from actors.messages.model import Api, AskModel, ModelFacts
from actors.providers.endpoint import Endpoint, Target
from actors.providers.formats.table import format_of
from tests import ROOT
from tests.actors.providers.formats import conversations

FOLDER = ROOT / "tests" / "data" / "requests"
Bodies = Mapping[str, str]
"""By file name, pretty printed."""


def target(api: Api, facts: ModelFacts | None = None, dialect: str = "") -> Target:
    endpoint = Endpoint(provider="test", api=api, base_url="http://127.0.0.1/v1", key="planted-key", dialect=dialect)
    return Target(endpoint, "model", facts or ModelFacts())


def body(target: Target, ask: AskModel) -> str:
    sent = format_of(target.api).request(target, ask).body
    return msgspec.json.format(sent, indent=2).decode() + "\n"


def common(prefix: str, target: Target) -> dict[str, str]:
    """The conversations all formats share."""
    return {
        f"{prefix}-{name}.json": body(target, conversations.asked(name, target.api)) for name in conversations.NAMES
    }


def anthropic() -> Bodies:
    adaptive = ModelFacts(id="model", max_output=64_000, thinking="adaptive", efforts=("low", "high"))
    budgeted = target("anthropic-messages", msgspec.structs.replace(adaptive, thinking="budget"))
    for_an_hour = msgspec.structs.replace(budgeted, endpoint=replace(budgeted.endpoint, cache_ttl="1h"))
    searching = msgspec.structs.replace(conversations.searching(), effort="high")
    return {
        **common("anthropic", target("anthropic-messages", adaptive)),
        "anthropic-searching.json": body(for_an_hour, searching),
    }


def responses() -> Bodies:
    return common("responses", target("openai-responses"))


def chat() -> Bodies:
    from tests.actors.providers.formats.openai_chat.bodies import bodies  # which needs this module

    return bodies()


ALL: Mapping[str, Callable[[], Bodies]] = {"anthropic": anthropic, "responses": responses, "chat": chat}


def stored(name: str) -> str:
    path = FOLDER / name
    return path.read_text(encoding="utf-8") if path.exists() else ""


def main(wanted: list[str]) -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name in wanted or ALL:
        for file_name, text in ALL[name]().items():
            (FOLDER / file_name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
