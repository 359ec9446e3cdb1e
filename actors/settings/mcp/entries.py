"""One entry of an MCP server, as a file has it: what is wrong with it, or the server that it says. Pure."""

import difflib
import re
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import msgspec

from actors.settings import toml_files
from actors.settings.mcp.names import SERVER
from actors.settings.mcp.servers import Entry, McpServer, OAuth, Scope, ServerKeys, Transport, digest

LONGEST = 16 * 1024
"""Characters of one, as JSON: the user has to look at all of it."""
LONGEST_REASON = 400
NAME = "a name has letters, digits, - and _, at most 40 of them, and does not begin with -"
ONLY_USERS = ("sandbox", "write", "read_only", "safe_mode", "plan_tools")
"""What a workspace's file cannot say, whoever vouches for it: it would be its own guard."""
OAUTH: dict[str, str] = {"clientId": "client_id", "callbackPort": "redirect_port"} | {
    key: key for key in OAuth.__struct_fields__
}
"""What is known of a client, and in the words of Claude Code, which reads the same file."""
VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
HEADER = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
"""RFC 9110, 5.6.2."""
STEERS = re.compile(r"[\x00-\x1f\x7f-\x9f]")


class Read(NamedTuple):
    server: McpServer | None
    why_not: str = ""
    """It is none: what is wrong with it."""
    unheard: tuple[str, ...] = ()
    """What of it does not count, a few words each."""


def canonical(entry: object) -> str:
    """The same for the same content, however it is written."""
    return msgspec.json.encode(entry, order="sorted").decode()


def read(name: str, entry: object, source: str, scope: Scope) -> Read:
    """Of a JSON file: other programs read it, too, so what is unknown here is told and does not count."""
    if why := mistaken_name(name):
        return Read(None, why)
    if not isinstance(entry, dict):
        return Read(None, "it is no table")
    if len(canonical(entry)) > LONGEST:
        return Read(None, f"it is longer than {LONGEST:,} characters")
    unheard = {key: why for key in entry if (why := _unheard(key, scope))}
    known: dict[str, Any] = {key: value for key, value in entry.items() if key not in unheard}
    if isinstance(said := known.get("oauth"), dict):
        known["oauth"] = _oauth(said)
        unheard |= {f"oauth.{key}": f'"oauth.{key}" is not known here' for key in said if key not in OAUTH}
    if why := toml_files.why_not(known, Entry):
        return Read(None, _short(why))
    made = msgspec.convert(known, Entry)
    if why := mistake(made):
        return Read(None, _short(why))
    return Read(server(name, made, source, scope), unheard=tuple(map(_short, unheard.values())))


def mistaken_name(name: str) -> str:
    """What is wrong with it; "" for nothing."""
    return "" if SERVER.fullmatch(name) else NAME


def mistake(entry: Entry) -> str:
    """What its keys do not say each for itself; "" for nothing."""
    if bool(entry.command) == bool(entry.url):
        return 'it has "command" and "url", keep one' if entry.command else 'it has neither "command" nor "url"'
    if (transport(entry) == "stdio") != bool(entry.command):
        return f'transport "{transport(entry)}" does not go with "{"command" if entry.command else "url"}"'
    mistakes = (*_mistaken_names(entry), _mistaken_url(entry), _mistaken_document(entry))
    return next(filter(None, (*map(_mistaken_text, _texts(entry)), *mistakes)), "")


def transport(entry: Entry) -> Transport:
    match entry.transport or entry.type:
        case "stdio" | "http" | "sse" as said:
            return said
        case "streamable-http" | "streamableHttp":
            return "http"
        case "":
            return "http" if entry.url else "stdio"


def server(name: str, entry: Entry, source: str, scope: Scope) -> McpServer:
    """Of an entry without a mistake."""
    said = {key: getattr(entry, key) for key in ServerKeys.__struct_fields__}
    said["enabled"] = entry.enabled and not entry.disabled
    said["read_only"] = entry.read_only or entry.safe_mode
    made = McpServer(**said, name=name, transport=transport(entry), source=source, scope=scope)
    return msgspec.structs.replace(made, digest=digest(made))


def _oauth(said: dict[str, Any]) -> dict[str, Any]:
    """Our words of it. Scopes are one text elsewhere."""
    known = {OAUTH[key]: value for key, value in said.items() if key in OAUTH}
    if isinstance(scopes := known.get("scopes"), str):
        known["scopes"] = scopes.split()
    return known


def _unheard(key: str, scope: Scope) -> str:
    """Why this key does not count; "" where it does."""
    if key in ONLY_USERS and scope == "workspace":
        return f'"{key}" may only be said in your own files'
    if key in Entry.__struct_fields__:
        return ""
    near = difflib.get_close_matches(key[:80], Entry.__struct_fields__, n=1, cutoff=0.7)
    return f'"{key}" is not known here' + (f', did you mean "{near[0]}"?' if near else "")


def _texts(entry: Entry) -> list[tuple[str, str, bool]]:
    """What it is called, the text, and whether it is one line."""
    return [
        ("command", entry.command, True),
        ("url", entry.url, True),
        ("cwd", entry.cwd, True),
        *(("args", text, False) for text in entry.args),
        *((f"env.{name}", text, False) for name, text in entry.env.items()),
        *((f"headers.{name}", text, True) for name, text in entry.headers.items()),
        *(("write", text, True) for text in entry.write),
        ("oauth.client_metadata_url", entry.oauth.client_metadata_url, True),
    ]


def _mistaken_text(text: tuple[str, str, bool]) -> str:
    key, said, is_line = text
    bad = STEERS.search(said) if is_line else re.search("\x00", said)
    return f"{key} has the control character {ord(bad[0]):#04x}" if bad else ""


def _mistaken_names(entry: Entry) -> list[str]:
    return [
        *(f'env: "{name}" is no name of a variable' for name in entry.env if not VARIABLE.fullmatch(name)),
        *(f'headers: "{name}" is no name of a header' for name in entry.headers if not HEADER.fullmatch(name)),
    ]


def _mistaken_url(entry: Entry) -> str:
    """One with variables is looked at once they are filled in."""
    return mistaken_url(entry.url) if entry.url and "${" not in entry.url else ""


def _mistaken_document(entry: Entry) -> str:
    """A client's id that is an address: draft-ietf-oauth-client-id-metadata-document, 3."""
    url = entry.oauth.client_metadata_url
    good = not url or (not mistaken_url(url) and urlsplit(url).scheme == "https" and urlsplit(url).path.strip("/"))
    return "" if good else "oauth.client_metadata_url is no address such as https://host/client.json"


def mistaken_url(url: str) -> str:
    """What is wrong with it; "" for nothing. It is not quoted: it may hold a secret."""
    try:
        parts = urlsplit(url)
        is_one = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except ValueError:
        is_one = False
    return "" if is_one and " " not in url else "url is no address such as https://host/mcp"


def _short(reason: str) -> str:
    """On one line: a second one could pass for something that we say."""
    line = reason.replace("\n", "\\n")
    return line if len(line) <= LONGEST_REASON else f"{line[:LONGEST_REASON]}…"
