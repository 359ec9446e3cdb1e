"""What Copilot alone wants: headers of its editors, and for each model the format of its maker. No I/O."""

import re

from actors.messages.conversation import ModelInput, ToolResult, UserMessage
from actors.messages.model import Api, AskModel

EDITOR = {
    "copilot-integration-id": "vscode-chat",
    "editor-version": "vscode/1.107.0",
    "editor-plugin-version": "copilot-chat/0.35.0",
    "user-agent": "GitHubCopilotChat/0.35.0",
    "x-github-api-version": "2025-04-01",
}
"""A token is bound to the integration it was made for, so the sign-in and every request say the same."""


def headers(ask: AskModel) -> dict[str, str]:
    """Of one request."""
    seen = {"copilot-vision-request": "true"} if any(map(_has_image, ask.history)) else {}
    return {"x-initiator": _initiator(ask)} | seen


def _initiator(ask: AskModel) -> str:
    """What a user began is billed as a request; what the program goes on with by itself is not."""
    last = ask.history[-1] if ask.history else None
    return "user" if isinstance(last, UserMessage) and last.prompt_id else "agent"


def _has_image(message: ModelInput) -> bool:
    if not isinstance(message, UserMessage | ToolResult):
        return False
    return any(attachment.media_type.startswith("image/") for attachment in message.attachments)


def api(name: str) -> Api:
    """The wire format in which it offers a model: by its name, for one that the table does not know."""
    if name.startswith("claude"):
        return "anthropic-messages"
    generation = re.match(r"gpt-(\d+)", name)
    if "codex" in name or (generation and int(generation[1]) >= 5):
        return "openai-responses"
    return "openai-chat"
