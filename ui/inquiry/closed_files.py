"""Which files the user's rules close to reading: no model is asked about those. Pure."""

from collections.abc import Iterable

from actors.settings.permissions import RuleLine, parse

ALL = "**"


def closed(rules: Iterable[RuleLine]) -> tuple[str, ...]:
    """Patterns. What has to be asked about is closed, too: nobody is asked here about each file."""
    read = [parse(rule.text, rule.source) for rule in rules if rule.verdict != "allow"]
    return tuple(rule.pattern or ALL for rule in read if rule.scope == "read")
