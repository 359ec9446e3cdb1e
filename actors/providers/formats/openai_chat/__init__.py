"""OpenAI's Chat Completions, as many servers speak it. No I/O.

Its entrance is `FORMAT`: `request` writes, `reader` reads.
"""

from actors.providers.formats.openai_chat.kept_parts import API
from actors.providers.formats.openai_chat.reader import Reader
from actors.providers.formats.openai_chat.request import list_models, request
from actors.providers.formats.wire_format import WireFormat


def _as_text(data: str) -> str:
    """What is kept is the model's reasoning, which says nothing to another one."""
    del data
    return ""


FORMAT = WireFormat(api=API, request=request, reader=Reader, list_models=list_models, as_text=_as_text)
