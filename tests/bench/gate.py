"""Texts that are made to keep the gate busy: the longest call of each of its parsers and matchers."""

import contextlib
import itertools
import random
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from actors.common.globs import covers
from actors.confinement.errors import ToolFailed
from actors.errors import BadConfiguration, Failed
from actors.gate.bash.language.syntax import LONGEST
from actors.gate.hooks import heard
from actors.gate.subjects import hosts
from actors.gate.subjects.call_subjects import MOST_FILES
from actors.messages.tool import HookRan
from actors.settings.permissions import parse
from actors.tools import limits
from actors.tools.web import urls
from tests.actors.gate.cases import around, run, verdict
from tests.actors.gate.rules.adversarial import long_ones
from tests.bench.bench import Bench
from tests.bench.figures import Figure

TARGET_MS = 200.0
HERE = Path("/nowhere/project")
PUMPED = 40
"""Texts of each grammar, besides those of the table."""
QUOTED = LONGEST - 20
PATH = 4096
"""Characters: as long as Linux takes a path."""
PIECES = {
    "bash": "ls;|&&|||{|}|(|)|$(|`|'|\"|\\|$a|${a:-|[[|]]|((|))|<<E\n|E\n|\n|> f|# |a=b|a/b|~|*|case a in|if|do|done|é",
    "arithmetic": "1+|(|)|a|[|]|?|:|,|-|!|0x|$((|))|$a|=| |**|<<",
    "sed": "s/|/|a|\\|;|{|}|w f|1,|$!|y/|:a|ba| |\n|[|]|p",
    "awk": 'print|{|}|(|)|"|/|system(|getline <|NR|$1|;|,| |\\|ARGV[|]|\n|~|>',
    "jq": '.|[|]|{|}||||,|"|\\(|)|if|then|end|import|include| |$a|..|//|@',
    "globs": "*|?|**/|/|a|[|]|{|,|}|.|!|\\|é",
    "rules": "*|:*|/|**/|**/*/|~|.|a| |-a |,|\\|(|[|?",
    "patches": "*** Begin Patch\n|*** Update File: a\n|--- a\n|+++ b\n|diff --git a b\n|@@|rename to a\n|\n| |\t|\r\n",
    "urls": "http://|a|.|:|@|/|[|]|%41|?|#|\\|é|-|0x7f|1",
    "hooks": '{|}|[|]|"|"decision":|"allow"|,|:|\\u0041|1|e|"arguments":| ',
}
"""What pumped texts are made of."""


def _bash(text: str) -> None:
    run(around(HERE, "default", deny=("Read(**/.env)", "Bash(git push:*)"), allow=("Bash(ls:*)",)), text)


def _rule(text: str) -> None:
    for rule in (f"Bash(cat {text})", f"Read({text})"):
        parse(rule, "a file")
        run(around(HERE, "default", deny=(rule,)), f"cat {text}")


def _glob(pattern: str) -> None:
    covers(pattern, Path("/" + "a/" * (PATH // 2)), HERE)
    covers(pattern, Path("/" + "/".join(["a" * 255] * (PATH // 256))), HERE)


def _patch(text: str) -> None:
    verdict(around(HERE, "default"), "apply_patch", input=text)


def _url(text: str) -> None:
    hosts.host(text)
    urls.parse(text)


def _hook(text: str) -> None:
    heard(HookRan(exit_code=0, output=text, errors=text))


CALLS: dict[str, tuple[Callable[[str], object], str, str, int]] = {
    "bash": (_bash, "", "", LONGEST),
    "arithmetic": (_bash, "echo $((", "))", QUOTED),
    "sed": (_bash, "sed '", "' f", QUOTED),
    "awk": (_bash, "awk '", "' f", QUOTED),
    "jq": (_bash, "jq '", "' f", QUOTED),
    "globs": (_glob, "", "", PATH),
    "rules": (_rule, "", "", PATH),
    "patches": (_patch, "", "", limits.PATCH_CHARS),
    "urls": (_url, "", "", urls.LONGEST),
    "hooks": (_hook, "", "", LONGEST),
}
"""By what they read: the call, what is before and after the text, and the longest that is let in."""


def _many_files(longest: int) -> str:
    """As many as there is room for."""
    lines = (f"*** Add File: {number}\n+\n" for number in itertools.count())
    return "".join(itertools.islice(lines, longest // 24))


def _moved_and_deleted() -> str:
    """About as many different ones as are gone through."""
    moved = "".join(f"mv src/{number} to/{number}; " for number in range(150))
    return f"{moved}rm {' '.join(f'to/{number}' for number in range(480))}"


MORE: dict[str, Callable[[], list[str]]] = {
    "bash": lambda: [*(one.text() for one in long_ones()), _moved_and_deleted()],
    "patches": lambda: [_many_files(limits.PATCH_CHARS), _many_files(MOST_FILES * 24)],
}
"""Texts that are not one piece over and over."""


def busy(_bench: Bench, runs: int) -> list[Figure]:
    return [_figure(name, runs) for name in CALLS]


def _figure(name: str, runs: int) -> Figure:
    call, begins, ends, longest = CALLS[name]
    texts = [begins + text + ends for text in pumped(name, longest)]
    texts += MORE.get(name, list)()
    worst = [max((_ms(call, text) for text in texts), default=0.0) for _ in range(runs)]
    return Figure(what=f"{name}: the longest of {len(texts)} calls", unit="ms", values=worst, target=TARGET_MS)


def pieces(name: str) -> list[str]:
    return [piece for piece in PIECES[name].split("|") if piece]


def pumped(name: str, longest: int) -> Iterator[str]:
    """Each piece alone, then a few in turn, over and over up to the limit; the same in every run."""
    chance = random.Random(name)
    mixed: Iterable[list[str]] = (chance.choices(pieces(name), k=chance.randint(2, 6)) for _ in range(PUMPED))
    for units in itertools.chain(([piece] for piece in pieces(name)), mixed):
        unit = "".join(units)
        yield (unit * (longest // len(unit) + 1))[:longest]


def _ms(call: Callable[[str], object], text: str) -> float:
    """CPU."""
    began = time.thread_time()
    with contextlib.suppress(Failed, ToolFailed, BadConfiguration):
        call(text)
    return (time.thread_time() - began) * 1000
