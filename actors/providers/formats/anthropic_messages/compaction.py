"""The service sums a conversation up by itself, by our instructions: its block is text, so that is the summary. No I/O.

The block goes not back: any model can read its text, and what is kept of the conversation has lost its thinking anyway.
"""

from actors.messages.conversation import AssistantMessage, Opaque, Text
from actors.providers.formats.anthropic_messages.blocks_in_words import as_text
from actors.providers.formats.anthropic_messages.messages import own_blocks
from actors.providers.formats.anthropic_messages.request import request
from actors.providers.formats.wire_format import Compaction

COMPACTION = "compaction"


def kept(answer: AssistantMessage) -> tuple[Text, ...]:
    """() where it answered instead, or could write none: then the content is null."""
    if not any(block.type == COMPACTION for block in own_blocks([answer])):
        return ()
    said = [as_text(block.data).strip() for block in answer.blocks if isinstance(block, Opaque)]
    return tuple(Text(text=text) for text in said if text)


READABLE = Compaction("text", request, kept)
