"""OpenAI's Responses, as OpenAI, ChatGPT's backend, Copilot, xAI, OpenRouter and local servers speak it. No I/O.

Its entrance is `FORMAT`: `request` writes, `reader` reads. Format:
https://platform.openai.com/docs/api-reference/responses. Nothing is stored at the service: the whole input is sent
each time, or over a socket (see `continuation`) only what is new.
"""

from actors.providers.formats.openai_responses.compaction import SEALED
from actors.providers.formats.openai_responses.items import API, as_text
from actors.providers.formats.openai_responses.reader import Reader
from actors.providers.formats.openai_responses.request import list_models, request
from actors.providers.formats.wire_format import WireFormat

FORMAT = WireFormat(
    api=API, request=request, reader=Reader, list_models=list_models, as_text=as_text, compaction=SEALED
)
