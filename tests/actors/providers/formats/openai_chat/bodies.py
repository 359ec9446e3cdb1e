"""The chat requests that are stored, tests/data/requests/openai-chat-DIALECT-CONVERSATION.json."""

from collections.abc import Mapping

import msgspec

from actors.messages.conversation import AssistantMessage, Block, ModelInput, Opaque, Thinking
from actors.messages.model import ModelFacts
from tests.actors.providers.formats import conversations, snapshots
from tests.actors.providers.formats.openai_chat.streams import to

THINKS = ModelFacts(id="model", efforts=("low", "high"), max_output=64_000)
STORED: Mapping[str, tuple[str, ...]] = {
    "openai": ("attached", "with_tools", "compacted", "switched"),
    "openrouter": ("attached", "with_tools", "compacted", "switched"),
    "unknown": ("with_tools", "compacted", "switched"),
    "copilot": ("with_tools",),
    "deepseek": ("with_tools", "switched"),
    "moonshotai": ("with_tools", "switched"),
    "zai": ("with_tools",),
    "mistral": ("with_tools", "switched"),
    "google": ("with_tools", "switched"),
    "llamacpp": ("with_tools", "switched"),
    "vllm": ("with_tools",),
}
"""The conversations by dialect."""
KEPT = {
    "openrouter": '{"reasoning_details":[{"type":"reasoning.text","text":"Look first.","signature":"c2ln","index":0}]}',
    "copilot": '{"reasoning_opaque":"b3BhcXVl"}',
}
"""What the service would have put into its answer beside the text of its reasoning."""
GOOGLES = '{"extra_content":{"google":{"thought_signature":"c2ln"}}}'


def bodies() -> dict[str, str]:
    return {
        f"openai-chat-{dialect}-{name}.json": _body(dialect, name)
        for dialect, names in STORED.items()
        for name in names
    }


def _body(dialect: str, name: str) -> str:
    ask = conversations.asked(name, "openai-chat")
    history = tuple(_as_if_from(dialect, message) for message in ask.history)
    ask = msgspec.structs.replace(ask, history=history, effort="high")
    return snapshots.body(TARGETS.get(dialect) or to(dialect, facts=THINKS), ask)


TARGETS = {
    "openrouter": to("openrouter", "anthropic/claude-sonnet-5", THINKS, routing={"order": ["anthropic"]}),
    "unknown": to(""),
}


def _as_if_from(dialect: str, message: ModelInput) -> ModelInput:
    """With what is kept of its own answers, as long as nothing before them has changed."""
    if not isinstance(message, AssistantMessage) or not any(isinstance(block, Thinking) for block in message.blocks):
        return message
    kept = (Opaque(api="openai-chat", data=KEPT[dialect]),) if dialect in KEPT else ()
    blocks = [
        _signed(block) if dialect == "google" and block in message.calls[:1] else block for block in message.blocks
    ]
    return msgspec.structs.replace(message, blocks=(*kept, *blocks))


def _signed(block: Block) -> Block:
    return msgspec.structs.replace(block, extra=GOOGLES)
