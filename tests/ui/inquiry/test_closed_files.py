"""Rules that close files to reading close them to a question about code."""

from actors.settings.permissions import RuleLine
from ui.inquiry.closed_files import closed


def rule(verdict: str, text: str) -> RuleLine:
    return RuleLine(verdict=verdict, text=text, source="config")  # type: ignore[arg-type]


def test_what_is_denied_or_asked_about_is_closed() -> None:
    rules = [rule("deny", "Read(secret/**)"), rule("ask", "Read(*.pem)"), rule("allow", "Read(open/**)")]

    assert closed(rules) == ("secret/**", "*.pem")


def test_a_rule_for_all_of_reading_closes_all_and_others_none() -> None:
    assert closed([rule("deny", "Read"), rule("deny", "Write(**)"), rule("deny", "Bash")]) == ("**",)
