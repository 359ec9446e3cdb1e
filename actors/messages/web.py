"""Searching the web: asked by a tool worker of the providers, who hold the keys and have the network."""

import msgspec

from actors.messages.base import Message


class SearchWeb(Message, frozen=True, kw_only=True):
    """Answered by Found."""

    query: str
    limit: int = 5


class FoundPage(msgspec.Struct, frozen=True, kw_only=True):
    url: str
    title: str
    excerpt: str = ""


class Found(Message, frozen=True, kw_only=True):
    service: str
    pages: tuple[FoundPage, ...]
