"""Model services. `ALL` are the wire formats we speak; importing this loads no HTTP library."""

from actors.providers.anthropic import FORMAT as ANTHROPIC_MESSAGES
from actors.providers.openai_chat import FORMAT as OPENAI_CHAT
from actors.providers.wire import WireFormat

ALL = (OPENAI_CHAT, ANTHROPIC_MESSAGES)
BY_API: dict[str, WireFormat] = {wire_format.api: wire_format for wire_format in ALL}
