"""A prompt with what the user has named in it: read at the last moment, one after the other, or it is not sent."""

from collections.abc import Callable
from pathlib import Path

import trio

from actors.common.plurals import how_many
from actors.errors import failed
from actors.mailbox import Mailbox
from actors.messages.turn import Prompt
from ui.common.harmless import one_line
from ui.common.mcp import quoting
from ui.common.mentions import addressee, fetching, places, sessions, written
from ui.common.mentions.fetching import Whose
from ui.common.mentions.written import Word

MOST_NAMED = 3


def may_name(typed: str) -> bool:
    """Something, if it is there."""
    return quoting.may_name(typed) or bool(written.words(typed) or sessions.named(typed))


async def with_mentions(
    mailbox: Mailbox, prompt: Prompt, typed: str, whose: Whose, say: Callable[[str], None]
) -> Prompt:
    """typed: what of its text the user has written; what others have is only text. say: what stays plain text.

    Raises Failed: it is not sent.
    """
    prompt = await quoting.with_quotations(mailbox, prompt, typed)
    taken = {one.of.removesuffix(quoting.CUT) for one in prompt.quoted}
    if taken and quoting.is_prompt_line(typed):
        return prompt  # its words are the arguments of a server's prompt
    given = await _addressed(typed, whose)
    earlier = await sessions.told(mailbox, typed)
    taken |= {quoted.of for quoted, _ in given if quoted}
    words = [one for one in written.words(typed) if not _is_taken(one, taken)]
    folder = Path(whose.settings.cwd)
    there = await trio.to_thread.run_sync(places.found, words, folder, abandon_on_cancel=True)
    meant = [one for one in words if one in there or one.url]
    if (count := len(meant) + len(earlier)) > quoting.MOST_MENTIONS:
        text = f"{how_many(count, 'mention')} are too many: at most {quoting.MOST_MENTIONS} go with a prompt."
        raise failed("bad_request", text, "Name a folder, or name them in words.")
    for word in meant:
        if word in there:
            given.append(await fetching.place(mailbox, whose, there[word]))
        else:
            given.append(await fetching.page(mailbox, whose, word.url))
    whole = quoting.together(prompt, [*given, *earlier])
    _tell([one for one in words if one not in meant and one.is_path_like], say)
    return whole


async def _addressed(typed: str, whose: Whose) -> list[quoting.Given]:
    """For a kind of subagent: a file of that name is meant where more than its name is written, as @./explore."""
    if not (name := addressee.name(typed)):
        return []
    there = await trio.to_thread.run_sync(addressee.known, whose.settings, abandon_on_cancel=True)
    told = addressee.instruction(name, there)
    return [(told, ())] if told else []


def _is_taken(word: Word, taken: set[str]) -> bool:
    """By a server, or by the kind of subagent that all is for."""
    return any(f"@{way.path}" in taken for way in word.ways)


def _tell(missing: list[Word], say: Callable[[str], None]) -> None:
    if missing:
        named = ", ".join(one_line(one.shown)[:200] for one in missing[:MOST_NAMED])
        more = f" and {how_many(len(missing) - MOST_NAMED, 'more')}" if len(missing) > MOST_NAMED else ""
        say(f"there is no file {named}{more}: it went as text")
