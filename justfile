python := if path_exists(".venv/bin/python") == "true" { ".venv/bin/python" } else { "python3" }

# list the recipes
default:
    @just --list

# make the virtual environment
setup:
    python3 -m venv .venv && .venv/bin/pip install -q -e '.[dev]'

# run trouper from the working tree
run *ARGS:
    {{python}} -P ui/launch.py {{ARGS}}

# the fast tests; slow ones are left out
test *ARGS:
    {{python}} -m pytest {{ARGS}}

# the slow ones alone: real processes, real terminals; most of their time is waiting, so several at once
test-slow *ARGS:
    {{python}} -m pytest -m slow -n 6 --dist worksteal {{ARGS}}

# the tests of long sessions at full length: 10,000 deaths of the store, a week of turns, small windows; some hours
soak *ARGS:
    TROUPER_SOAK=1 {{python}} -m pytest -m slow -s tests/system/sessions tests/system/screen/test_many_kills.py {{ARGS}}
    TROUPER_SOAK=1 {{python}} -m pytest -m '' -s tests/actors/checkpoints tests/system/commands/test_batch.py tests/system/commands/test_batch_deaths.py {{ARGS}}

# all that has to hold
check: static test test-slow

# what needs no test to be run
static: format-check lint types layers

format-check:
    {{python}} -m ruff format --check .

lint:
    {{python}} -m ruff check .

types:
    {{python}} -m mypy

layers:
    {{python}} -c "from importlinter.cli import lint_imports_command as c; c()"

# write the stored screens anew, and show what changed
snapshots:
    {{python}} -m tests.ui.screen.golden
    {{python}} -m tests.ui.screen.golden_pager
    git diff --stat -- tests/data/screens

# write the generated pages and the picture of the screen anew, and show what changed
docs:
    {{python}} -m tests.docs.make
    git diff --stat -- docs

# write the built-in table of models anew, and show what changed
models FILE="../shared/reference/models.json":
    {{python}} -m actors.providers.services.make_models {{FILE}}
    git diff --stat -- actors/providers/services/models.toml

# speed and memory, targets beside figures
bench *ARGS:
    {{python}} -m tests.bench {{ARGS}}

# put the code in order
fix:
    {{python}} -m ruff check --fix .
    {{python}} -m ruff format .

# note a change for users: just change fixed "Interrupting a turn no longer loses the prompt."
change KIND TEXT:
    {{python}} -m towncrier create --content "{{TEXT}}" "+.{{KIND}}.md"
