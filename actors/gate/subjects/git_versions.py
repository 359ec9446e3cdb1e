"""Which git commands show what files held in some version, whatever rules hide; it lies in objects that nothing masks.

What is not known to be harmless counts: git has many ways to print a file.
"""

import re

from actors.common.lean.late_patterns import late_pattern
from actors.gate.bash.language.name_lists import names
from actors.gate.bash.programs.git_tables import VALUED

KEEPS = names(
    "add apply branch check-attr check-ignore cherry-pick clean commit config count-objects describe fetch "
    "for-each-ref gc help init ls-files ls-remote ls-tree merge merge-base name-rev prune pull push rebase remote "
    "reset rev-list rev-parse revert rm shortlog show-ref status symbolic-ref tag var version"
)
"""They print no file and put none at another path."""
KEEPS_IF_FIRST = {
    "stash": "push save pop apply drop clear",
    "worktree": "list prune remove lock unlock",
    "submodule": "status init sync update deinit",
}
TEXTS = late_pattern(r"-[a-zA-Z]*[pvFt].*|--(?:pat|verb|fil|te|int).*", re.DOTALL)
FORMATS = late_pattern(r"--format.*", re.DOTALL)
SHOWN_BY = {
    **dict.fromkeys(("add", "commit", "reset", "stash", "status"), TEXTS),
    "tag": late_pattern(f"{TEXTS.pattern}|{FORMATS.pattern}", re.DOTALL),
    **dict.fromkeys(("branch", "for-each-ref"), FORMATS),
    "config": late_pattern(r"-[a-zA-Z]*f.*|--(?:fil|blo).*", re.DOTALL),
}
"""Options with which those do show one: a patch, a message or settings out of a file, what a reference leads to."""
MESSAGE = late_pattern(r"-[aesnqz]*m|--message")
WITH_MESSAGE = late_pattern(r"-[aesnqz]*m.+|--message=.*", re.DOTALL)
ABOUT_COMMITS = late_pattern(
    r"-\d+|-n\d*|-[iEFMsqz]|-[SG].*|--|--(?:oneline|graph|all|stat|shortstat|numstat|dirstat|summary|name-only|name-status"
    r"|max-count|author|since|until|after|before|grep|format|pretty|decorate|follow|abbrev|abbrev-commit|merges|quiet"
    r"|first-parent|reverse|date|skip|topo-order|date-order|branches|tags|remotes|color|cached|staged|exit-code)(?:=.*)?"
    r"|--no-[a-z-]+",
    re.DOTALL,
)
"""Options of log and diff with which no line of a file is shown."""
SUMMARIES = names("--stat --shortstat --numstat --dirstat --summary --name-only --name-status --quiet --no-patch -s -q")
CREATES = names("-b -c --create")
UNKNOWN = late_pattern(r".*[$`].*|[*?[{].*|\.\.\.", re.DOTALL)
"""It may turn out to be an option."""


def shows_files(words: tuple[str, ...]) -> bool:
    """words: what is after `git`."""
    at = 0
    while at < len(words) and words[at].startswith("-"):
        at += 2 if words[at] in VALUED else 1
    name, *rest = words[at:] or ("version",)
    rest = _without_message(rest) if name in ("commit", "tag", "merge", "stash") else rest
    options = rest[: rest.index("--")] if "--" in rest else rest
    if any(UNKNOWN.fullmatch(word) for word in (name, *options)):
        return True
    match name:
        case "log" | "reflog":
            return not _is_about_commits(rest)
        case "diff":
            return not (_is_about_commits(rest) and any(word.partition("=")[0] in SUMMARIES for word in rest))
        case "checkout" | "switch":
            return not (len(rest) == 2 and rest[0] in CREATES)
        case "stash" if rest[:1] == ["list"]:
            return not _is_about_commits(rest)
        case _:
            shown = SHOWN_BY.get(name)
            return not _keeps(name, rest) or bool(shown and any(shown.fullmatch(word) for word in rest))


def _keeps(name: str, rest: list[str]) -> bool:
    if name not in KEEPS_IF_FIRST:
        return name in KEEPS
    first = next(iter(rest), "")
    return first in KEEPS_IF_FIRST[name].split() or (name == "stash" and (not first or first.startswith("-")))


def _is_about_commits(words: list[str]) -> bool:
    return all(ABOUT_COMMITS.fullmatch(word) for word in words if word.startswith("-"))


def _without_message(words: list[str]) -> list[str]:
    """What a commit says may look like anything."""
    kept: list[str] = []
    is_message = False
    for word in words:
        if not is_message and not WITH_MESSAGE.fullmatch(word):
            kept.append(word)
        is_message = not is_message and bool(MESSAGE.fullmatch(word))
    return kept
