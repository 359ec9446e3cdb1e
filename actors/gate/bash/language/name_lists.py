"""Lists of names, written as one text so that a table stays readable."""


def names(text: str) -> frozenset[str]:
    return frozenset(text.split())
