"""Model services. `ALL` are the wire formats we speak; importing this loads no HTTP library."""

from actors.providers.anthropic import FORMAT as ANTHROPIC_MESSAGES
from actors.providers.openai_chat import FORMAT as OPENAI_CHAT

ALL = (OPENAI_CHAT, ANTHROPIC_MESSAGES)
BY_API = {wire_format.api: wire_format for wire_format in ALL}
