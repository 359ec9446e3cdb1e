"""Anthropic's Messages API. No I/O.

Its entrance is `FORMAT`: `request` writes, `reader` reads. Blocks that only the service itself understands are kept as
they came and go back unchanged.
"""

from actors.providers.formats.anthropic_messages.blocks_in_words import as_text
from actors.providers.formats.anthropic_messages.compaction import READABLE
from actors.providers.formats.anthropic_messages.messages import API
from actors.providers.formats.anthropic_messages.reader import MessagesReader
from actors.providers.formats.anthropic_messages.request import list_models, request
from actors.providers.formats.wire_format import WireFormat

FORMAT = WireFormat(
    api=API, request=request, reader=MessagesReader, list_models=list_models, as_text=as_text, compaction=READABLE
)
