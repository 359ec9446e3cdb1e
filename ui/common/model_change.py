"""What is said when another model answers, or thinks another way."""

from ui.common.harmless import one_line


def from_now_on(model: str, effort: str) -> str:
    return one_line(f"from now on {model} answers{f', effort {effort}' * bool(effort)}")
