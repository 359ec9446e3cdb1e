"""What single services want beside their wire format. No I/O."""

from actors.messages.model import AskModel
from actors.providers.endpoint import Target


def headers(target: Target, ask: AskModel) -> dict[str, str]:
    """For this one request."""
    del target, ask
    return {}
