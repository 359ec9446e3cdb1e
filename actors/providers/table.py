"""The built-in table of models."""

from actors.messages.model import ModelFacts


def facts(provider: str, name: str) -> ModelFacts | None:
    """None for a model that is not in it. `name` may be an alias; then the facts hold the id."""
    del provider, name
    return None
