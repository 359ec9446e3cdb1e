"""What a server answered, made to fit the protocol where that is possible: the good in it counts. Pure.

The SDK refuses an answer as a whole for one wrong field of it: a kind of content that it does not know, one tool of
many without a name, structured content that its own schema does not allow.
"""

import base64
import binascii
import json
from collections.abc import Callable, Mapping
from typing import Any

Json = dict[str, Any]
LACKING = {"resultType": "complete", "ttlMs": 0, "cacheScope": "private"}
"""What a result means that does not say it."""
UNKNOWN = "trouper/unknown"
"""In a block's _meta: the kind that it was said to be."""
TASK = "trouper/task"
"""In a result's _meta: the task that was given in its place."""


def mended(method: str, result: Json, *, is_stateless: bool = False) -> Json:
    """method: what it answers; "" for what was not asked. is_stateless: asked as of 2026, when results have a type."""
    mend = MENDERS.get(method)
    fit = mend(result) if mend is not None else result
    return {**LACKING, **fit} if is_stateless else fit


def _called(result: Json) -> Json:
    if result.get("resultType") in ("input_required", "task"):
        return result
    if isinstance(task := result.get("task"), dict) and "content" not in result:
        return {"content": [], "_meta": {**_dict(result.get("_meta")), TASK: task}}
    content = [_block(block) for block in _list(result.get("content"))]
    structured = result.get("structuredContent")
    if structured is not None and not isinstance(structured, dict):
        content.append(_text(json.dumps(structured, ensure_ascii=False)))
        structured = None
    mended = {**result, "content": content, "isError": result.get("isError") is True}
    mended.pop("structuredContent", None)
    if structured is not None:
        mended["structuredContent"] = structured
    if "_meta" in result:
        mended["_meta"] = _dict(result["_meta"])
    return mended


def _block(block: object) -> Json:
    kind = block.get("type") if isinstance(block, dict) else None
    fits = FITS.get(kind) if isinstance(kind, str) else None
    if isinstance(block, dict) and fits is not None and fits(block):
        if not isinstance(block.get("annotations", {}), dict):
            return {name: value for name, value in block.items() if name != "annotations"}
        return block
    named = kind if isinstance(kind, str) and kind else "without a kind"
    why = "it is not as the protocol has it" if fits is not None else "it is not known here"
    return {**_text(f"[content of the kind {named[:60]} left out: {why}]"), "_meta": {UNKNOWN: named[:60]}}


def _text(text: str) -> Json:
    return {"type": "text", "text": text}


def _has_data(block: Json) -> bool:
    data, kind = block.get("data"), block.get("mimeType")
    return isinstance(data, str) and isinstance(kind, str) and _is_base64(data)


def _is_base64(data: str) -> bool:
    try:
        base64.b64decode(data, validate=True)
    except (binascii.Error, ValueError):
        return False
    return True


def _is_resource(contents: object) -> bool:
    if not isinstance(contents, dict) or not isinstance(contents.get("uri"), str):
        return False
    blob = contents.get("blob")
    return isinstance(contents.get("text"), str) or (isinstance(blob, str) and _is_base64(blob))


FITS: Mapping[str, Callable[[Json], bool]] = {
    "text": lambda block: isinstance(block.get("text"), str),
    "image": _has_data,
    "audio": _has_data,
    "resource_link": lambda block: isinstance(block.get("uri"), str) and isinstance(block.get("name"), str),
    "resource": lambda block: _is_resource(block.get("resource")),
}


HINTS = {"title": str, "readOnlyHint": bool, "destructiveHint": bool, "idempotentHint": bool, "openWorldHint": bool}
BESIDE: Mapping[str, Callable[[Any], bool]] = {
    "title": lambda said: isinstance(said, str),
    "mimeType": lambda said: isinstance(said, str),
    "_meta": lambda said: isinstance(said, dict),
    "execution": lambda said: (
        isinstance(said, dict) and said.get("taskSupport") in ("forbidden", "optional", "required")
    ),
    "arguments": lambda said: isinstance(said, list) and all(map(_is_argument, said)),
    "annotations": lambda said: (
        isinstance(said, dict) and all(isinstance(value, HINTS.get(key, object)) for key, value in said.items())
    ),
}
"""What an entry of a list may say beside what makes it one: it is left out where it is not as the protocol has it."""


def _is_argument(said: object) -> bool:
    return isinstance(said, dict) and _is_named(said) and isinstance(said.get("required", False), bool | None)


def _listed(field: str, fits: Callable[[Json], bool], *without: str) -> Callable[[Json], Json]:
    """without: what of an entry is not for us, and could spoil it."""

    def counts(name: str, value: object) -> bool:
        return name not in without and (name not in BESIDE or BESIDE[name](value))

    def mend(result: Json) -> Json:
        entries = [entry for entry in _list(result.get(field)) if isinstance(entry, dict) and fits(entry)]
        kept = [{name: value for name, value in entry.items() if counts(name, value)} for entry in entries]
        cursor = result.get("nextCursor")
        mended = {name: value for name, value in result.items() if name != "nextCursor"}
        return {**mended, field: kept, **({"nextCursor": cursor} if isinstance(cursor, str) and cursor else {})}

    return mend


def _tools(result: Json) -> Json:
    """One whose arguments are not described takes any."""
    listed = _listed("tools", _is_named, "outputSchema", "icons")(result)
    return {**listed, "tools": [{**tool, "inputSchema": _schema(tool.get("inputSchema"))} for tool in listed["tools"]]}


def _schema(said: object) -> Json:
    schema = _dict(said)
    fits = (
        isinstance(schema.get("$schema", ""), str)
        and all(isinstance(each, dict | bool) for each in _dict(schema.get("properties", {})).values())
        and isinstance(schema.get("properties", {}), dict)
        and isinstance(schema.get("required", []), list)
        and all(isinstance(each, str) for each in schema.get("required", []))
    )
    return {**schema, "type": "object"} if fits else {"type": "object"}


def _is_named(entry: Json) -> bool:
    return isinstance(entry.get("name"), str) and isinstance(entry.get("description", ""), str | None)


def _is_located(entry: Json) -> bool:
    return _is_named(entry) and isinstance(entry.get("uri"), str)


def _is_placed(entry: Json) -> bool:
    return _is_named(entry) and isinstance(entry.get("uriTemplate"), str)


def _read(result: Json) -> Json:
    return {**result, "contents": [each for each in _list(result.get("contents")) if _is_resource(each)]}


def _prompted(result: Json) -> Json:
    """A message's content is one block."""
    messages = [each for each in _list(result.get("messages")) if isinstance(each, dict)]
    known = [each for each in messages if each.get("role") in ("user", "assistant")]
    return {**result, "messages": [{**each, "content": _block(each.get("content"))} for each in known]}


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _dict(value: object) -> Json:
    return value if isinstance(value, dict) else {}


MENDERS: Mapping[str, Callable[[Json], Json]] = {
    "tools/call": _called,
    "tasks/result": _called,
    "tools/list": _tools,
    "resources/list": _listed("resources", _is_located, "icons", "size", "annotations"),
    "resources/templates/list": _listed("resourceTemplates", _is_placed, "icons", "annotations"),
    "prompts/list": _listed("prompts", _is_named, "icons"),
    "resources/read": _read,
    "prompts/get": _prompted,
}
