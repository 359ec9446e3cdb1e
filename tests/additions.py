"""One addition of each kind, as `tests/test_one_line.py` makes it in a scratch copy of the sources.

To add a kind: an entry in ALL. What shows it runs in a fresh Python in the copy.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, kw_only=True)
class Addition:
    kind: str
    files: Mapping[str, str] = field(default_factory=dict)
    """The new ones: by path, what is in them."""
    table: str
    """The file that exists."""
    after: str
    """The line in it that the new one goes behind, without its indentation."""
    line: str
    """Indented as that one is."""
    config: str = ""
    """The user's config file, read by `settings` of `shown_by`."""
    shown_by: str
    """Prints what was added."""
    prints: str


SETTINGS = """
import os
from pathlib import Path
from actors.settings import config
settings = config.load(Path("home"), Path.cwd(), {}, "session", "run")
"""

TOOL = Addition(
    kind="tool",
    files={
        "actors/tools/files/echo.py": '''"""`echo`: says what it is told."""

from actors.messages.tool import Preview
from actors.tools.base import Arguments, Outcome, Report, Tool, Worker
from actors.tools.workspace.folder import Workspace


class Echo(Arguments, frozen=True):
    text: str


async def run(arguments: Echo, _worker: Worker, _report: Report) -> Outcome:
    return Outcome(arguments.text, "said")


def preview(_arguments: Echo, _workspace: Workspace) -> Preview:
    return Preview(title="echo")


ECHO = Tool("echo", "read", Echo, run, preview)
''',
        "actors/tools/files/echo.md": "Says what it is told.\n",
    },
    table="actors/settings/tool_names.py",
    after='"todo": "actors.tools.todo",',
    line='"echo": "actors.tools.files.echo",',
    config='permissions.allow = ["Echo"]\n',
    shown_by="""
from actors.settings.permissions import parse
from actors.tools.actor import BY_NAME
print(BY_NAME["echo"].spec().description)
print(*(parse(rule.text, rule.source) for rule in settings.rules))
""",
    prints="""
Says what it is told.
Rule(scope='tool', pattern='Echo')
""",
)

WIRE_FORMAT = Addition(
    kind="wire format",
    files={
        "actors/providers/formats/plain_text/__init__.py": '''"""A prompt as it is, and an answer as it comes."""

from actors.messages.model import AskModel
from actors.providers.endpoint import Endpoint, Target
from actors.providers.formats.openai_chat.reader import Reader
from actors.providers.formats.wire_format import HttpRequest, WireFormat


def request(target: Target, ask: AskModel) -> HttpRequest:
    return HttpRequest(f"{target.endpoint.base_url}/{target.name}", {}, ask.system.encode())


def list_models(endpoint: Endpoint) -> HttpRequest:
    return HttpRequest(endpoint.base_url, {})


FORMAT = WireFormat(api="plain-text", request=request, reader=Reader, list_models=list_models, as_text=str)
''',
    },
    table="actors/messages/model.py",
    after='"anthropic-messages",',
    line='"plain-text",',
    config='providers.mine = { api = "plain-text", base_url = "http://127.0.0.1:9" }\n',
    shown_by="""
from actors.messages.model import AskModel
from actors.providers.formats.table import format_of
from actors.providers.services.registry import Registry
target = Registry(settings.providers, {}).target("mine/parrot")
print(format_of(target.api).request(target, AskModel(model="", session_id="", system="Speak.", history=())))
""",
    prints="""
HttpRequest(url='http://127.0.0.1:9/parrot', body=b'Speak.')
""",
)

SERVICE = Addition(
    kind="model service",
    table="actors/settings/services.py",
    after='_chat("cerebras", "https://api.cerebras.ai/v1", "CEREBRAS_API_KEY"),',
    line='_chat("parrots", "https://parrots.example/v1", "PARROTS_API_KEY"),',
    config='providers.mine = { api = "openai-chat", base_url = "http://127.0.0.1:9", dialect = "parrots" }\n',
    shown_by="""
from actors.providers.services.registry import Registry, key_variables
registry = Registry(settings.providers, {"PARROTS_API_KEY": "a-key"})
endpoint = registry.target("parrots/grey").endpoint
print(endpoint.base_url, endpoint.key, key_variables(registry.configured) & {"PARROTS_API_KEY"})
print(registry.endpoint("mine").dialect, "parrots" in registry.names, "parrots" in config.PROVIDERS)
""",
    prints="""
https://parrots.example/v1 a-key {'PARROTS_API_KEY'}
parrots True True
""",
)

DIALECT = Addition(
    kind="dialect",
    table="actors/providers/services/dialects.py",
    after='"cerebras": Dialect(),',
    line='"anthropic": Dialect(standing={"x-bird": "parrot"}, usage=False),',
    config='providers.mine = { api = "openai-chat", base_url = "http://127.0.0.1:9", dialect = "anthropic" }\n',
    shown_by="""
from actors.messages.model import AskModel
from actors.providers.formats.table import format_of
from actors.providers.services import dialects
from actors.providers.services.registry import Registry
target = Registry(settings.providers, {}).target("mine/x")
ask = AskModel(model="", session_id="", system="", history=())
print(dialects.headers(target, ask), format_of(target.api).request(target, ask).body)
""",
    prints="""
{'x-bird': 'parrot'} b'{"model":"x","messages":[],"stream":true}'
""",
)

SIGN_IN = Addition(
    kind="sign-in",
    files={
        "actors/providers/auth/ways/groq.py": '''"""A key of Groq's, for nothing."""

from actors.providers.auth.vault import KeptKey
from actors.providers.auth.ways.way import Method, Talk
from actors.providers.auth.ways.token_requests import Web


class Groq:
    def __init__(self, issuer: str, web: Web) -> None:
        self._url = issuer
        self._web = web

    async def log_in(self, method: Method, talk: Talk) -> KeptKey:
        return KeptKey(key=f"{self._url} {method}")


WAY = Groq
''',
    },
    table="actors/settings/sign_ins.py",
    after='"openrouter": SignIn("https://openrouter.ai", "actors.providers.auth.ways.openrouter"),',
    line='"groq": SignIn("https://groq.example", "actors.providers.auth.ways.groq"),',
    shown_by="""
import subprocess, sys
import trio
from actors.providers.auth.ways.issuers import issuers
from actors.providers.auth.ways.table import Ways
way = Ways(issuers(settings.providers)).named("groq")
print(trio.run(way.log_in, "browser", None).key, flush=True)
offered = [sys.executable, "-P", "ui/launch.py", "auth", "login", "--help"]
print("codex|copilot|openrouter|groq" in subprocess.run(offered, capture_output=True, text=True).stdout)
""",
    prints="""
https://groq.example browser
True
""",
)

PROGRAM = Addition(
    kind="program of bash that only looks",
    table="actors/gate/bash/programs/tables.py",
    after='"history"',
    line='" birdwatch"',
    shown_by="""
from actors.gate.bash.command_line import parts
print(*(part.effect for part in parts("birdwatch notes; birdcatch notes", sandboxed=True)))
""",
    prints="read execute",
)

READING = Addition(
    kind="program of bash whose arguments say what it does",
    files={
        "actors/gate/bash/programs/birdwatch.py": '''"""What birdwatch does: it looks, unless it is told to catch."""

from msgspec.structs import replace

from actors.gate.bash.language.options import present
from actors.gate.bash.language.parts import EXECUTES, HARMLESS, Part
from actors.gate.bash.language.words import Word


def birdwatch(_name: str, args: tuple[Word, ...]) -> Part:
    return replace(EXECUTES, danger="it catches birds") if present(args, "-c --catch") else HARMLESS
''',
    },
    table="actors/gate/bash/programs/readings.py",
    after='"git": "git:git",',
    line='"birdwatch": "birdwatch:birdwatch",',
    shown_by="""
from actors.gate.bash.command_line import parts
for command in ("birdwatch notes", "birdwatch --catch notes"):
    print(*((part.effect, part.danger) for part in parts(command, sandboxed=True)))
""",
    prints="""
('read', '')
('execute', 'it catches birds')
""",
)

WRAPPER = Addition(
    kind="program of bash that runs another",
    table="actors/gate/bash/files/reader_options.py",
    after='"nohup": "",',
    line='"birdwise": "-n:",',
    shown_by="""
from actors.gate.bash.command_line import parts
print(*((part.effect, part.deletes) for part in parts("birdwise -n 3 rm notes", sandboxed=True)))
""",
    prints="('execute', ('notes',))",
)

SUBCOMMAND = Addition(
    kind="command",
    files={
        "ui/cli/subcommands/parrot.py": '''"""`trouper parrot WORD`: says it again."""

import argparse
from collections.abc import Sequence

from ui.cli.arguments import Parser
from ui.headless.one_answer import printed
from ui.start.launch_state import Launch


def main(arguments: Sequence[str], _launch: Launch) -> int:
    return printed(f"{parser().parse_args(arguments).word}\\n")


def parser() -> argparse.ArgumentParser:
    made = Parser(prog="trouper parrot")
    made.add_argument("word")
    return made
''',
    },
    table="ui/cli/table.py",
    after='"top": Subcommand("look", "", "the processes of every running session, live"),',
    line='"parrot": Subcommand("look", "WORD", "say it again"),',
    shown_by="""
import subprocess, sys
from ui.cli.mistaken_prompts import nearest
def said(*words):
    return subprocess.run([sys.executable, "-P", "ui/launch.py", *words], capture_output=True, text=True).stdout
print(said("parrot", "hello"), "trouper parrot WORD" in said("--help"), "parrot" in said("completion", "bash"))
print(nearest(["parot"]))
""",
    prints="""
hello
 True True
('parrot',)
""",
)

SLASH_COMMAND = Addition(
    kind="slash command",
    files={
        "ui/screen/commands/parrot.py": '''"""/parrot: says it again."""

from ui.screen.commands.base import Actions, Command


def run(actions: Actions, argument: str) -> None:
    actions.say(argument)


PARROT = Command("parrot", "WORD", "says it again", run)
''',
    },
    table="ui/screen/commands/table.py",
    after='"attach": "memory",',
    line='"parrot": "parrot",',
    shown_by="""
from ui.screen.commands import dispatch
from ui.screen.help_text import help_text
class Screen:
    say = print
dispatch.run(Screen, "/parrot hello")
from actors.settings.config import Settings
print("/parrot WORD" in help_text(Settings(home="/none", cwd="/none", session_id="s", run_id="r")))
""",
    prints="""
hello
True
""",
)

ALL = (TOOL, WIRE_FORMAT, SERVICE, DIALECT, SIGN_IN, PROGRAM, READING, WRAPPER, SUBCOMMAND, SLASH_COMMAND)
