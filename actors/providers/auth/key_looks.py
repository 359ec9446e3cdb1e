"""Whose key a key is by its looks: services begin theirs in ways of their own. Pure, and a key is never told."""

BEGINNINGS = {
    "sk-ant-": "anthropic",
    "sk-or-": "openrouter",
    "sk-proj-": "openai",
    "AIza": "google",
    "gsk_": "groq",
    "xai-": "xai",
    "csk-": "cerebras",
    "tvly-": "tavily",
}
"""As each shows them where they are made."""
TOLD_BY_ALL = frozenset(("anthropic", "openrouter", "google", "groq", "xai", "cerebras", "tavily"))
"""Whose keys have begun so for as long as there are any: one that does not is none."""


def doubt(provider: str, key: str) -> str:
    """Why it is probably not one of this provider's, at its own address; "" for nothing against it."""
    owner = next((owner for beginning, owner in BEGINNINGS.items() if key.startswith(beginning)), "")
    if owner == provider or not key or provider not in BEGINNINGS.values():
        return ""
    if owner:
        return f"it looks like a key of {owner}"
    if provider in TOLD_BY_ALL:
        own = next(beginning for beginning, owner in BEGINNINGS.items() if owner == provider)
        return f"keys of {provider} begin with {own}, and this one does not"
    return ""
