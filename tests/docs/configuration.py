"""The page of the configuration files, out of the structs they are read into."""

from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

from actors.messages.model import ModelFacts, Price
from actors.settings.config import PROVIDERS, ProviderSettings, SearchSettings, UserFile
from actors.settings.mcp.servers import Entry, OAuth
from actors.settings.permissions import Permissions
from actors.settings.workspace_files import ONLY_USERS, Hook, Hooks, WorkspaceFile
from tests.docs.fields import fields
from tests.docs.table import table

FOLDER = Path(__file__).parent
FLAGS: dict[str, Sequence[str]] = {
    "model": ("--model", "TROUPER_MODEL"),
    "effort": ("--effort",),
    "mode": ("--mode",),
    "max_turns": ("--max-turns",),
    "sandbox": ("--no-sandbox",),
    "unrestricted": ("--unrestricted",),
    "retry_for": ("--retry-for",),
    "permissions": ("--allow", "--deny"),
}
"""What says the same for one run."""
SECTIONS = {
    "permissions": "permissions",
    "providers": "providersname",
    "models": "modelsprovidername",
    "search": "search",
    "hooks": "hooksevent",
    "mcp": "mcpname",
}
"""Where the keys of a table are."""
VARIABLES = {
    "TROUPER_HOME": "the folder of the user's files instead of `~/.trouper`",
    "TROUPER_MODEL": "as `model`",
    "TROUPER_UNRESTRICTED": "`1`: `unrestricted` also as root outside a container",
    "TROUPER_SPAWN": "`fork` or `exec`: how processes are started; `exec` where the system cannot be trusted to fork",
    "TROUPER_CHAOS": "faults to inject, such as `store:kill@message:5`: to see what a crash does",
    "NO_COLOR": "not empty: no colours on the screen",
    "PREFERS_REDUCED_MOTION": "not empty: nothing turns on the screen, and its clocks go in steps of 5 s",
}
PAGE = """# Configuration

<!-- Written by `just docs` from the structs that the files are read into: change those. -->

Three files, all TOML, none of them needed:

| file | whose | what it may say |
| --- | --- | --- |
| `~/.trouper/config.toml` | yours; the variable `TROUPER_HOME` moves the folder | every key below |
| `.trouper/config.toml` in the workspace | the team's; it may be committed | {workspace} |
| `.trouper/config.local.toml` in the workspace | yours, for this workspace; git ignores it | the same |

What counts more, from the least: your file, the team's, the local one, the environment, flags. Rules of all files
count together, whichever says them.

A workspace is not trusted. What its files loosen (allow rules, hooks, a model, more `max_turns`) counts once you have
vouched for exactly that content, by `trouper permissions trust`; until then it only tightens: see
[permissions](permissions.md). What a workspace's file may never say is left out and named in a notice:
{only_users}.

A mistake is an error that names the file, the key and what it can be; nothing runs before it is corrected.

## Examples

`~/.trouper/config.toml`:

```toml
{example}```

`.trouper/config.toml` of a workspace:

```toml
{workspace_example}```

## Keys

{top}

## `[permissions]`

{permissions}

What a rule looks like is in [permissions](permissions.md).

## `[providers.NAME]`

{provider}

Built in are: {built_in}. A table of one of these names says only what is different; with another name it is a service
of your own, which needs `api` and `base_url`.

## `[models."PROVIDER/NAME"]`

What is not known of a model is left out.

{model}

### `prices`

US dollars a million tokens. A list, for services whose long prompts cost more: one of its prices counts for the whole
request, by the length of the prompt.

{price}

## `[search]`

{search}

## `[[hooks.EVENT]]`

{events}

Each is a list of tables:

{hook}

What a hook is told and may answer is in [hooks](hooks.md).

## `[mcp.NAME]`

An MCP server. The same keys stand in JSON files of servers: see [MCP servers](mcp.md).

{mcp}

### `oauth`

{oauth}

## Environment variables

{variables}

Variables that hold keys of model services are in [models](models.md).
"""


def page() -> str:
    keys, shared = UserFile.__struct_fields__, WorkspaceFile.__struct_fields__
    return PAGE.format(
        workspace=_listed(key for key in keys if key in shared),
        only_users=_listed(key for key in keys if key in ONLY_USERS),
        example=(FOLDER / "example.toml").read_text(),
        workspace_example=(FOLDER / "workspace.toml").read_text(),
        top=_top(shared),
        permissions=_table(Permissions),
        provider=_table(ProviderSettings),
        built_in=", ".join(PROVIDERS),
        model=_table(ModelFacts),
        price=_table(Price),
        search=_table(SearchSettings),
        events=table(("event", "when"), [(f"`{field.name}`", field.meaning) for field in fields(Hooks)]),
        hook=_table(Hook),
        mcp=_table(Entry),
        oauth=_table(OAuth),
        variables=table(("variable", "what it does"), [(f"`{name}`", does) for name, does in VARIABLES.items()]),
    )


def _listed(keys: Iterable[str]) -> str:
    return ", ".join(f"`{key}`" for key in keys)


def _top(shared: Sequence[str]) -> str:
    rows = [
        (
            f"[`{field.name}`](#{SECTIONS[field.name]})" if field.name in SECTIONS else f"`{field.name}`",
            field.can_be,
            field.default,
            "also a workspace's" if field.name in shared else "yours",
            _listed(FLAGS.get(field.name, ())),
            field.meaning,
        )
        for field in fields(UserFile)
    ]
    return table(("key", "can be", "default", "file", "for one run", "what it is"), rows)


def _table(struct: type[msgspec.Struct]) -> str:
    rows = [(f"`{field.name}`", field.can_be, field.default, field.meaning) for field in fields(struct)]
    return table(("key", "can be", "default", "what it is"), rows)
