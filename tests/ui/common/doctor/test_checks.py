"""What `trouper doctor` says of what it has found."""

import os
import sys
from pathlib import Path

import msgspec
import pytest

from actors.messages.auth import Credential, Credentials
from actors.messages.model import ModelFacts, ResolvedModel
from actors.messages.tool import SandboxLevel, Tools
from actors.settings.config import Settings
from actors.settings.permissions import RuleLine
from ui.common.doctor import checks
from ui.common.doctor import rows as findings

MODEL = ResolvedModel(model="anthropic/one", facts=ModelFacts(context=200_000))
SIGNED_IN = Credentials(credentials=(Credential(provider="anthropic", kind="key", place="ANTHROPIC_API_KEY"),))
BEST = Tools(tools=(), sandbox="bubblewrap", sandbox_detail="bubblewrap, seccomp, network of its own")

HERE = checks.Here(interactive=True)


def settings(folder: Path, **more: object) -> Settings:
    (folder / ".git").mkdir(exist_ok=True)
    return Settings(home=str(folder / "home"), cwd=str(folder), session_id="s", run_id="r", **more)  # type: ignore[arg-type]  # of any of its fields


def row(rows: list[findings.Row], name: str) -> findings.Row:
    return next(each for each in rows if each.name == name)


def test_a_machine_that_is_ready_is_said_to_be(tmp_path: Path) -> None:
    rows = checks.rows(settings(tmp_path), BEST, MODEL, SIGNED_IN, HERE)

    assert findings.works(rows)
    assert row(rows, "model").found == "anthropic/one, 200,000 tokens of context"
    assert row(rows, "credentials").found == "anthropic (key, ANTHROPIC_API_KEY)"
    assert row(rows, "sandbox") == findings.Row(name="sandbox", found="bubblewrap, seccomp, network of its own")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder away")
def test_root_is_told_that_its_commands_cannot_write_another_users_workspace(tmp_path: Path) -> None:
    here = settings(tmp_path)
    os.chown(tmp_path, 65534, 65534)

    found = row(checks.rows(here, BEST, MODEL, SIGNED_IN, HERE), "workspace")

    assert (found.state, "not root's" in found.found) == ("note", True)


def test_without_a_model_work_is_impossible_and_the_next_step_is_said(tmp_path: Path) -> None:
    rows = checks.rows(
        settings(tmp_path), BEST, "no key is set", Credentials(credentials=()), checks.Here(interactive=False)
    )

    assert not findings.works(rows)
    assert row(rows, "model").state == "problem"
    assert "trouper auth" in findings.table(rows).partition("what to do next:")[2]


def test_rules_are_counted_by_the_file_they_are_in(tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    file = tmp_path / "home" / "config.toml"
    file.touch()
    lines = [RuleLine(verdict="deny", text="Read(.env)", source=source) for source in (str(file), str(file), "--deny")]

    rows = checks.rows(settings(tmp_path, rules=tuple(lines)), BEST, MODEL, SIGNED_IN, HERE)

    assert row(rows, "config").found == f"{file} (2 rules), --deny (1 rule)"


def test_a_config_that_cannot_be_used_is_a_problem_among_the_others(tmp_path: Path) -> None:
    here = checks.Here(interactive=True, broken="config.toml is not valid TOML.")

    rows = checks.rows(settings(tmp_path), BEST, MODEL, SIGNED_IN, here)

    assert not findings.works(rows)
    assert (row(rows, "config").state, row(rows, "config").found) == ("problem", "config.toml is not valid TOML.")
    assert row(rows, "model").state == "ok"


@pytest.mark.parametrize(
    ("level", "chosen", "state", "advice"),
    [
        ("namespaces", "auto", "note", "bubblewrap"),
        ("namespaces", "namespaces", "ok", ""),
        ("landlock", "auto", "warning", "user namespaces"),
        ("landlock", "landlock", "warning", 'sandbox = "auto"'),
        ("none", "none", "warning", "--no-sandbox"),
        ("none", "auto", "warning", "user namespaces"),
    ],
)
def test_a_weaker_sandbox_comes_with_the_way_to_a_stronger_one(
    tmp_path: Path, level: SandboxLevel, chosen: str, state: str, advice: str
) -> None:
    tools = Tools(tools=(), sandbox=level, sandbox_detail=f"{level}: why")

    found = checks.sandbox_row(tools, settings(tmp_path, sandbox=chosen))

    assert (found.state, found.found.startswith(f"{level}: why")) == (state, True)
    assert ("docker" in found.found) == (level == "landlock"), "what stays open is named"
    assert advice in found.advice


def test_a_workspace_that_trouper_itself_runs_from_is_told_of(tmp_path: Path) -> None:
    here = settings(tmp_path)
    inside = msgspec.structs.replace(here, cwd=str(Path(sys.prefix).parent.resolve()))
    weak = Tools(tools=(), sandbox="none", sandbox_detail="none: why")

    held = row(checks.rows(inside, BEST, MODEL, SIGNED_IN, HERE), "trouper")
    open_to_commands = row(checks.rows(inside, weak, MODEL, SIGNED_IN, HERE), "trouper")

    assert "trouper" not in {each.name for each in checks.rows(here, BEST, MODEL, SIGNED_IN, HERE)}
    assert (held.state, "pipx install" in held.advice) == ("note", True)
    assert (open_to_commands.state, "could change it" in open_to_commands.found) == ("warning", True)
