"""Whose key a key looks like."""

import pytest

from actors.providers.auth.key_looks import doubt


@pytest.mark.parametrize(
    ("provider", "key", "said"),
    [
        ("anthropic", "sk-ant-api03-x", ""),
        ("anthropic", "sk-or-v1-x", "it looks like a key of openrouter"),
        ("openai", "sk-ant-api03-x", "it looks like a key of anthropic"),
        ("openai", "sk-x", ""),
        ("groq", "xyz", "keys of groq begin with gsk_, and this one does not"),
        ("anthropic", "", ""),
        ("mistral", "anything", ""),
        ("mine", "sk-ant-x", ""),
    ],
)
def test_a_key_of_another_service_is_doubted(provider: str, key: str, said: str) -> None:
    assert doubt(provider, key) == said
