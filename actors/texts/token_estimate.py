"""About how many tokens a text for the model has: by its bytes, before a service has counted anything. Pure."""

BYTES = 4
"""Of a token, on the average."""
AROUND = 6
"""Tokens around a message, a call or a tool."""


def of_text(text: str) -> int:
    size = len(text) if text.isascii() else len(text.encode(errors="replace"))
    return -(-size // BYTES)


def of_tool(name: str, description: str, parameters: str) -> int:
    """parameters: the schema, as JSON text."""
    return AROUND + of_text(name + description + parameters)
