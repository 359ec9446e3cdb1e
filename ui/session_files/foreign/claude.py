"""Claude Code: a tree of records by uuid and parentUuid, one block of an answer each, in ~/.claude/projects.

Its format is not documented; this is read off the files. What is not seen at once:

- Calls that were made at once are records of their own with the same message id, one behind the other, and each result
  hangs on its own call: the way from the last record upwards passes only one of them. The others belong to it as well.
- A compaction begins a new tree; `logicalParentUuid` is what it follows on. In a copy of a session that can be a record
  that comes after it. Where it kept the last messages, what comes next hangs on these, and the way passes by it.
- A record whose model is "<synthetic>" was written by the program.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import IO

from ui.session_files.foreign import records, tree, values
from ui.session_files.foreign.claude_records import Record
from ui.session_files.foreign.claude_speech import Speech
from ui.session_files.foreign.parts import Facts, Mark, Note, Part, Return, Tally

CONVERSATION = ("user", "assistant", "system", "attachment")
KNOWN = (
    *("queue-operation", "last-prompt", "mode", "summary", "custom-title", "ai-title", "agent-name", "agent-color"),
    *("file-history-snapshot", "file-history-delta", "permission-mode", "progress", "pr-link", "tag"),
)
"""Types that say nothing that a conversation needs; some are titles."""


@dataclass
class Survey:
    """Where each record of the conversation is. Texts stay in the file."""

    facts: Facts = field(default_factory=lambda: Facts(agent="claude"))
    nodes: dict[str, tree.Node] = field(default_factory=dict)
    """In the order they were written."""
    offsets: dict[str, int] = field(default_factory=dict)
    answer_of: dict[str, str] = field(default_factory=dict)
    """The message id of each record that is a block of an answer."""
    blocks_of: dict[str, list[str]] = field(default_factory=dict)
    """And the records of each message id."""
    results_of: dict[str, list[str]] = field(default_factory=dict)
    """The results that hang on each of them."""
    starts_turn: set[str] = field(default_factory=set)
    summaries: dict[str, list[str]] = field(default_factory=dict)
    """Of compactions, by the records that they hang on."""
    silent: set[str] = field(default_factory=set)
    """Nothing is said in them."""
    unknown: list[tuple[str, int]] = field(default_factory=list)
    last: str = ""
    titles: dict[str, str] = field(default_factory=dict)


def survey(file: IO[bytes], tally: Tally) -> Survey:
    """Raises TooMuch."""
    found = Survey()
    is_subagents = _is_subagents(file)
    for line in records.lines(file):
        if (record := records.known(line, Record, tally, found.unknown)) is None:
            continue
        if record.is_sidechain and not is_subagents:
            tally.left_out["of a subagent"] += 1
        elif record.type in CONVERSATION and record.uuid:
            _index(found, record, record.uuid, line.offset, tally)
        elif record.type in KNOWN:
            tally.left_out[record.type] += 1
            for kind, text in (("custom", record.custom_title), ("agent", record.agent_name), ("ai", record.ai_title)):
                if text:
                    found.titles[kind] = text[:200]
        else:
            records.put_aside(record.type, line, tally, found.unknown)
    found.facts.title = next((found.titles[kind] for kind in ("custom", "agent", "ai") if kind in found.titles), "")
    return found


def _is_subagents(file: IO[bytes]) -> bool:
    """The whole file: then it is what is wanted."""
    for line in records.lines(file):
        record = records.known(line, Record, Tally(), [])
        if record is not None and record.uuid:
            return bool(record.is_sidechain)
    return False


def _index(found: Survey, record: Record, uuid: str, offset: int, tally: Tally) -> None:
    if uuid in found.nodes:
        tally.left_out[f"{record.type} (twice)"] += 1
        return
    records.check(len(found.nodes))
    parent = record.parent_uuid or record.logical_parent_uuid or ""
    if record.is_boundary and parent not in found.nodes:
        parent = parent or found.last
    found.nodes[uuid], found.offsets[uuid] = tree.Node(uuid, parent), offset
    _note_facts(found.facts, record)
    if record.type == "assistant" and not record.is_synthetic:
        message_id = (record.message.id if record.message else "") or uuid
        found.answer_of[uuid] = message_id
        found.facts.speaks = True
        found.blocks_of.setdefault(message_id, []).append(uuid)
    elif record.type == "user" and record.has_results:
        found.results_of.setdefault(record.source or parent, []).append(uuid)
    elif record.is_compact_summary:
        found.summaries.setdefault(parent, []).append(uuid)
    elif record.starts_turn:
        found.starts_turn.add(uuid)
        found.facts.speaks = True
    elif record.type in ("system", "attachment") and not record.is_boundary and not record.queued:
        found.silent.add(uuid)
    found.last = uuid


def _note_facts(facts: Facts, record: Record) -> None:
    facts.source_id = facts.source_id or "/".join(filter(None, (record.session_id, record.agent_id)))
    facts.cwd = facts.cwd or values.folder(record.cwd or "")
    facts.branch = facts.branch or (record.git_branch or "")[:200]
    if record.type == "assistant" and record.message and record.message.model and not record.is_synthetic:
        facts.model = f"anthropic/{record.message.model[:200]}"


def parts(file: IO[bytes], found: Survey, tally: Tally) -> Iterator[Part]:
    for kind, offset in found.unknown:
        yield Note(kind=kind, record=records.text_at(file, offset))
    order = _whole(found, tree.path(found.nodes, found.last))
    leaving = tree.leaving(found.nodes, order, found.starts_turn, found.silent, tally)
    speech = Speech(file, found.offsets, _answers(found), tally)
    for at, uuid in enumerate(order):
        yield from speech.of(uuid)
        if uuid in leaving and tree.ends_turn(order, at, found.starts_turn, found.silent):
            yield from _branches(speech, uuid, leaving.pop(uuid), tally)
    tally.branches_left_out += sum(map(len, leaving.values()))


def _branches(speech: Speech, uuid: str, branches: list[tree.Branch], tally: Tally) -> Iterator[Part]:
    yield Mark(name=f"end of {uuid}", ends=True)
    for branch in branches:
        for left in branch.nodes:
            yield from speech.of(left)
        yield Return(name=f"end of {uuid}")
    tally.branches += len(branches)


def _whole(found: Survey, path: list[str]) -> list[str]:
    """With what belongs to it and is not on it, in the order they were written."""
    whole = set(path)
    for boundary, summaries in found.summaries.items():
        if boundary in found.nodes and found.nodes[boundary].parent in whole:
            whole.update((boundary, *summaries))
    for uuid in path:
        for beside in found.blocks_of.get(found.answer_of.get(uuid, ""), ()):
            whole.update((beside, *found.results_of.get(beside, ())))
    return [uuid for uuid in found.nodes if uuid in whole]


def _answers(found: Survey) -> dict[str, list[str]]:
    """For the first record of each answer all of its records, for the others none."""
    return {uuid: uuids if uuid == uuids[0] else [] for uuids in found.blocks_of.values() for uuid in uuids}
