"""`trouper mcp add` and `add-json`: one more server, in a file of the user's or of the workspace."""

import argparse
import re
import shlex
import shutil
import sys
from pathlib import Path
from typing import Any

from actors.errors import BadConfiguration
from actors.settings.mcp import entries, json_files, vouching, writing
from actors.settings.mcp.servers import McpServer, Scope
from ui.cli.mcp import words
from ui.cli.mcp.here import Here, Written, add_scope, written
from ui.common.usage_errors import Usage
from ui.headless import one_answer


class Add:
    SUMMARY = "a server: NAME -- COMMAND ARGS..., or NAME --url URL"

    def arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("name", metavar="NAME", help="what you call it")
        parser.add_argument("words", nargs="*", metavar="COMMAND", help="behind --: what is run, with its arguments")
        parser.add_argument("--url", default="", metavar="URL", help="of a server on the network")
        parser.add_argument(
            "-t", "--transport", choices=("stdio", "http", "sse"), metavar="HOW", type=_transport,
            help="stdio with a command, http with a url; sse is the older way",
        )  # fmt: skip
        _add_pairs(parser, "-e", "--env", "NAME=VALUE", "a variable it is given; '${NAME}' is yours")
        _add_pairs(parser, "-H", "--header", "NAME:VALUE", "sent with every request: 'Authorization: Bearer ${TOKEN}'")
        parser.add_argument(BEARER, action="append", default=[], dest="bearer", help=argparse.SUPPRESS)
        _add_common(parser)

    def main(self, options: argparse.Namespace, place: Here) -> int:
        return _add(place, options, _entry(options))


class AddJson:
    SUMMARY = "the same, as it would stand in .mcp.json"

    def arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("name", metavar="NAME", help="what you call it")
        parser.add_argument("json", metavar="JSON", help='{"command": "..."} or {"url": "..."}; "-": from stdin')
        _add_common(parser)

    def main(self, options: argparse.Namespace, place: Here) -> int:
        text = sys.stdin.read() if options.json == "-" else options.json
        try:
            return _add(place, options, json_files.parse(text, Path("the JSON")))
        except BadConfiguration as error:
            raise Usage(str(error)) from error


ADD, ADD_JSON = Add(), AddJson()
BEARER = "--bearer-token-env-var"
"""As Codex has it: the variable with the token that is sent. A pasted line works."""
PAIR = re.compile(r"[A-Za-z_][A-Za-z0-9_]*=.*", re.DOTALL)


def take(options: argparse.Namespace, further: list[str], behind: list[str]) -> None:
    """further: what no option or place was for, as lines from other programs have it: a URL after options, or more
    variables after one. behind: the command behind --. Raises Usage."""
    if unknown := next((word for word in further if word.startswith("-")), ""):
        raise Usage(
            f"there is no option {unknown} of trouper mcp add. A command with options of its own is written behind --: "
            f"trouper mcp add {options.name} -- {shlex.join((*options.words, *further))}"
        )
    is_more = bool(options.env and behind) and all(map(PAIR.fullmatch, further))
    options.env += further if is_more else []
    options.words += behind if is_more else [*further, *behind]
    options.header += [f"Authorization: Bearer ${{{name}}}" for name in options.bearer]


def _transport(word: str) -> str:
    return {"streamable-http": "http", "streamable_http": "http"}.get(word, word)


def _add_pairs(parser: argparse.ArgumentParser, short: str, long: str, metavar: str, explained: str) -> None:
    parser.add_argument(short, long, action="append", default=[], metavar=metavar, help=f"{explained}; repeatable")


def _add_common(parser: argparse.ArgumentParser) -> None:
    add_scope(parser, default="user")
    parser.add_argument("--replace", action="store_true", help="one of this name that is there")


def _entry(options: argparse.Namespace) -> dict[str, Any]:
    """Raises Usage."""
    said: list[str] = options.words
    url = options.url
    if not url and len(said) == 1 and said[0].startswith(("http://", "https://")) and options.transport != "stdio":
        url, said = said[0], []
    if bool(url) == bool(said):
        raise Usage("say either a command, behind --, or --url URL. See: trouper mcp add --help")
    if options.env if url else options.header:
        raise Usage("--env is of a server that is run, --header of one on the network.")
    entry: dict[str, Any] = {"type": options.transport} if options.transport else {}
    entry |= {"url": url} if url else {"command": said[0], **({"args": said[1:]} if said[1:] else {})}
    for key, pairs, mark in (("env", options.env, "="), ("headers", options.header, ":")):
        entry |= {key: dict(_pair(pair, mark) for pair in pairs)} if pairs else {}
    return entry


def _pair(text: str, mark: str) -> tuple[str, str]:
    """Raises Usage; the text is not quoted: it may hold a secret."""
    name, found, value = text.partition(mark)
    if not found:
        raise Usage(f"write NAME{mark}VALUE: there is no {mark} in what was given.")
    return name.strip(), value.strip() if mark == ":" else value


def _add(place: Here, options: argparse.Namespace, entry: dict[str, Any]) -> int:
    """Raises Usage and BadConfiguration."""
    scope: Scope = options.scope
    path = place.file(scope)
    read = entries.read(options.name, entry, str(path), scope)
    if read.server is None or read.unheard:
        raise Usage(f"{options.name}: {read.why_not or '; '.join(read.unheard)}. Nothing was changed.")
    there = written(place, options.name, scope)
    if there and not options.replace:
        raise Usage(f'{there[0].path} has "{options.name}" already. Put this in its place: --replace')
    if there and there[0].path != path:
        raise Usage(f'"{options.name}" is in {there[0].path}: change it there, or take it out: trouper mcp remove')
    add_to(place, scope, read.server, entry)
    _tell(place, read.server, path)
    return one_answer.printed(f"added {options.name} to {path}\n")


def add_to(place: Here, scope: Scope, server: McpServer, entry: dict[str, Any]) -> None:
    """What the user adds is vouched for, and before it is there. Raises BadConfiguration."""
    if scope == "workspace":
        try:
            vouching.vouch(place.home, place.cwd, server.name, entries.canonical(entry))
        except OSError as error:
            raise BadConfiguration(f"cannot write down what is trusted: {error}.") from error

    def edit(servers: dict[str, Any]) -> None:
        servers[server.name] = entry

    writing.change(place.file(scope), edit)


def _tell(place: Here, server: McpServer, path: Path) -> None:
    words.warn(server, place.cwd)
    if server.command and "${" not in server.command and shutil.which(server.command, path=None) is None:
        one_answer.complain(f"{server.name}: there is no program {server.command} here yet.")
    others: list[Written] = [one for one in written(place, server.name) if one.path != path]
    if others and server.scope == "workspace":
        one_answer.complain(f"{server.name}: does not count here as long as {others[0].path} has one of this name.")
