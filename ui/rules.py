"""The rules of permission as the user reads them: what /permissions says. Pure."""

from collections.abc import Iterable

from actors.permissions import RuleLine

ORDER = ("deny", "ask", "allow")
HOW = (
    "Deny counts more than ask, ask more than allow. To change them: edit these files, answer a question with "
    '"always" (this list has that from the next start on), or start with --allow or --deny RULE.\n'
    "What would be decided about one call, and why: trouper permissions explain TOOL JSON"
)


def in_words(rules: Iterable[RuleLine]) -> str:
    lines = sorted(rules, key=lambda line: ORDER.index(line.verdict))
    widest = max((len(line.text) for line in lines), default=0)
    shown = [f"{line.verdict:<5}  {line.text:<{widest}}  {line.source}" for line in lines]
    return "\n".join([*(shown or ["There are no rules: the mode decides."]), HOW])
