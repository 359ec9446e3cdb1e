"""Skills: folders with a SKILL.md in the open Agent Skills format, whose name and description the model is told first.

A workspace's are the repository's words like its AGENTS.md, and never take the place of one of the user's.
"""

import os
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

import msgspec

from actors.common.plurals import named
from actors.settings.config import Settings
from actors.settings.tool_names import ALL as TOOLS
from actors.texts import front_matter
from actors.texts.documents import Bounds, Refused, read
from actors.texts.front_matter import BadFrontMatter
from actors.texts.instruction_files import REPOSITORYS_WORDS, quoted
from actors.texts.places import Source, sources

FILE = "SKILL.md"
MOST_FOLDERS = 128
"""Of one source that are looked into, by name."""
MOST_ENTRIES = 4096
"""Of one source that are listed."""
MOST_TOLD = 12_000
"""Characters of all names and descriptions in the system prompt; the user's own come first."""
MOST_BESIDE = 50
"""Files of a skill that are named."""


class Skill(msgspec.Struct, frozen=True):
    name: str
    description: str
    path: Path
    """Of its SKILL.md."""
    own: bool
    """The user's; else the repository's."""

    @property
    def told(self) -> str:
        """A line of the system prompt."""
        line = f"- {self.name}: {self.description}"
        return line if self.own else quoted(line)


class Found(msgspec.Struct, frozen=True):
    skills: tuple[Skill, ...] = ()
    notices: tuple[str, ...] = ()
    """What does not count, and why."""


class NoSuchSkill(Exception):
    """In words for the model."""


def find(settings: Settings, user_home: Path, hidden: tuple[str, ...]) -> Found:
    """hidden: patterns of what may not be read unasked."""
    skills: dict[str, Skill] = {}
    notices: list[str] = []
    room = MOST_TOLD
    for source in _sources(settings, user_home):
        wrong: list[str] = []
        for folder in _folders(source, wrong):
            try:
                skill = _skill(folder, source, _bounds(settings, source, hidden))
                if skill.name in skills:
                    raise BadFrontMatter(f"there is already one of this name, {skills[skill.name].path}")
                if len(skill.told) > room:
                    raise BadFrontMatter("more skills are not told to the model")
            except FileNotFoundError:
                continue
            except (BadFrontMatter, Refused, OSError, ValueError) as error:
                wrong.append(f"{folder.name!r}: {error}")
                continue
            room -= len(skill.told)
            skills[skill.name] = skill
        if wrong:
            notices.append(f"skills of {source.folder} that do not count: {named(tuple(wrong))}.")
    return Found(tuple(skills.values()), tuple(notices))


def there_are(settings: Settings, user_home: Path) -> bool:
    """Some folder may hold one: whether it counts is not looked at."""
    return any(True for source in _sources(settings, user_home) for _ in islice(_entries(source), 1))


def loaded(skill: Skill, settings: Settings, hidden: tuple[str, ...]) -> str:
    """All that the model is told when it loads it. Raises Refused and OSError."""
    bounds = _bounds(settings, Source(skill.path.parent, skill.own), hidden)
    _, body = front_matter.split(read(skill.path, bounds))
    beside = list(islice(_beside(skill.path.parent), MOST_BESIDE + 1))
    more = ", and more" if len(beside) > MOST_BESIDE else ""
    listed = f"\n\nFiles of it, for `skill` with `file`: {', '.join(beside[:MOST_BESIDE])}{more}" if beside else ""
    return _with_origin(skill, skill.path, body + listed)


def file_of(skill: Skill, name: str, settings: Settings, hidden: tuple[str, ...]) -> str:
    """One of the files beside it. Raises Refused and OSError."""
    folder = skill.path.parent
    bounds = Bounds(Path(settings.cwd), folder, hidden, closed=not skill.own)
    return _with_origin(skill, folder / name, read(folder / name, bounds))


def one_of(found: Found, name: str) -> Skill:
    """Raises NoSuchSkill."""
    for skill in found.skills:
        if skill.name == name:
            return skill
    names = ", ".join(skill.name for skill in found.skills)
    raise NoSuchSkill(f'there is no skill "{name}". There are: {names or "none"}.')


def _with_origin(skill: Skill, path: Path, text: str) -> str:
    if skill.own:
        return f"The user's skill {skill.name}, from {path}:\n\n{text}"
    return f"{REPOSITORYS_WORDS.format(path=path)}\n\n{quoted(text)}"


def _sources(settings: Settings, user_home: Path) -> tuple[Source, ...]:
    return sources("skills", Path(settings.home), Path(settings.cwd), user_home)


def _bounds(settings: Settings, source: Source, hidden: tuple[str, ...]) -> Bounds:
    """The user may link them from anywhere."""
    cwd = Path(settings.cwd)
    return Bounds(cwd, None if source.own else cwd, hidden)


def _entries(source: Source) -> Iterator[str]:
    try:
        with os.scandir(source.folder) as found:
            yield from (entry.name for entry in found if not entry.name.startswith("."))
    except OSError:
        return  # it is not there, or a file, or closed to us


def _folders(source: Source, wrong: list[str]) -> list[Path]:
    """wrong: what is to be said when there are more."""
    names = sorted(islice(_entries(source), MOST_ENTRIES))
    if len(names) > MOST_FOLDERS:
        wrong.append(f"all after the first {MOST_FOLDERS}")
    return [source.folder / name for name in names[:MOST_FOLDERS]]


def _skill(folder: Path, source: Source, bounds: Bounds) -> Skill:
    """Raises BadFrontMatter, Refused and OSError."""
    head, _ = front_matter.split(read(folder / FILE, bounds, front_matter.MOST))
    if not head:
        raise BadFrontMatter(f"{FILE} does not begin with front matter between two lines of {front_matter.EDGE}")
    name, description = front_matter.name_and_description(front_matter.fields(head))
    if name != folder.name:
        raise BadFrontMatter(f"its name is {name}, and has to be that of its folder")
    if name.replace("-", "_") in TOOLS:
        raise BadFrontMatter("it has the name of a tool")
    return Skill(name, description, folder / FILE, source.own)


def _beside(folder: Path) -> Iterable[str]:
    """Relative; what is hidden is not named."""
    for top, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(files):
            path = os.path.relpath(os.path.join(top, name), folder)  # noqa: PTH118  # as os.walk gives them
            if path != FILE and not name.startswith(".") and path.isprintable():
                yield path
