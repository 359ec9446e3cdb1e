"""What a table of keys asks for, as far as it goes together with all the keys there are. Pure."""

from collections.abc import Iterator, Mapping
from typing import Any

from ui.screen.composer.key_names import is_character, normal, plain
from ui.screen.composer.keymap import Binding
from ui.screen.keyboard.contexts import ALL, BY_NAME, Context

WAYS_OUT = ("esc", "ctrl+c")
"""What has one of them by default keeps it: else there might be no way out."""
FORM = 'a key, such as "ctrl+o", or a list of keys'
Wanted = dict[tuple[Context, Binding[Any]], tuple[str, ...]]


def granted(table: Mapping[str, Any]) -> tuple[dict[Binding[Any], tuple[str, ...]], list[str]]:
    """The keys of those that have others than by default, and what is wrong, in words."""
    mistakes: list[str] = []
    wanted = _without_conflicts(dict(_wanted(table, mistakes)), mistakes)
    return {binding: keys for (_, binding), keys in wanted.items()}, mistakes


def _wanted(table: Mapping[str, Any], mistakes: list[str]) -> Iterator[tuple[tuple[Context, Binding[Any]], Any]]:
    for name, actions in table.items():
        if name not in BY_NAME or not isinstance(actions, dict):
            mistakes.append(f"[{name}] is no place where keys count; {_meant(name, BY_NAME)}")
            continue
        context = BY_NAME[name]
        known = {binding.action: binding for binding in context.bindings}
        for action, value in actions.items():
            if action not in known:
                mistakes.append(f'[{name}] has no action "{action}"; {_meant(action, known)}')
            elif isinstance(keys := _keys(value, context), str):
                mistakes.append(f"[{name}] {action}: {keys} The default counts: {_listed(known[action].keys)}.")
            else:
                yield (context, known[action]), keys


def _keys(value: object, context: Context) -> tuple[str, ...] | str:
    """A text says what is wrong."""
    written = [value] if isinstance(value, str) else value
    if not isinstance(written, list) or not all(isinstance(one, str) for one in written):
        return f"it has to be {FORM}."
    keys = tuple(normal(one) for one in written)
    if "" in keys:
        return f'"{written[keys.index("")]}" is no key; it has to be {FORM}.'
    if context.typing and (characters := [key for key in keys if is_character(key)]):
        return f'"{plain(characters[0])}" is text there; use it with ctrl or alt.'
    return keys


def _without_conflicts(wanted: Wanted, mistakes: list[str]) -> Wanted:
    """One after the other is left out, until those that are left go together."""
    while found := next(((it, why) for it in wanted if (why := _conflict(*it, wanted))), None):
        (context, binding), why = found
        mistakes.append(f"[{context.name}] {binding.action}: {why} The default counts: {_listed(binding.keys)}.")
        wanted = {it: keys for it, keys in wanted.items() if it != (context, binding)}
    return wanted


def _conflict(context: Context, binding: Binding[Any], wanted: Wanted) -> str:
    """Why it cannot have these keys; "" when it can."""
    keys = wanted[context, binding]
    if lost := [key for key in binding.keys if key in WAYS_OUT and key not in keys]:
        return f"it keeps {lost[0]}, else there might be no way out: write that key, too."
    for other in ALL:
        if other is not context and other.name not in context.beside:
            continue
        for its in other.bindings:
            if (other, its) == (context, binding):
                continue
            theirs = wanted.get((other, its), its.keys)
            mine = [key for key in keys if key not in binding.keys or key not in its.keys]
            if clashes := [key for key in mine if any(_clash(key, one) for one in theirs)]:
                return f"{plain(clashes[0])} is that of {its.action} [{other.name}]: give that one another key, too."
    return ""


def _clash(key: str, other: str) -> bool:
    """Also the first of two keys cannot be a key of its own."""
    return (
        key == other or (key != " " and other.startswith(f"{key} ")) or (other != " " and key.startswith(f"{other} "))
    )


def _meant(name: str, known: Mapping[str, object]) -> str:
    import difflib  # for mistakes alone

    near = difflib.get_close_matches(name, known, n=2)
    return f"did you mean {' or '.join(near)}?" if near else f"there are: {', '.join(known)}."


def _listed(keys: tuple[str, ...]) -> str:
    return ", ".join(map(plain, keys))
