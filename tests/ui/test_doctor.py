"""What `trouper doctor` says of what it has found."""

from pathlib import Path

import pytest

from actors.config import Settings
from actors.messages.auth import Credential, Credentials
from actors.messages.model import ModelFacts, ResolvedModel
from actors.messages.tool import SandboxLevel, Tools
from actors.permissions import RuleLine
from ui import doctor

MODEL = ResolvedModel(model="anthropic/one", facts=ModelFacts(context=200_000))
SIGNED_IN = Credentials(credentials=(Credential(provider="anthropic", kind="key", place="ANTHROPIC_API_KEY"),))
BEST = Tools(tools=(), sandbox="bubblewrap", sandbox_detail="bubblewrap, seccomp, network of its own")

HERE = doctor.Here(interactive=True)


def settings(folder: Path, **more: object) -> Settings:
    (folder / ".git").mkdir(exist_ok=True)
    return Settings(home=str(folder / "home"), cwd=str(folder), session_id="s", run_id="r", **more)  # type: ignore[arg-type]  # of any of its fields


def row(rows: list[doctor.Row], name: str) -> doctor.Row:
    return next(each for each in rows if each.name == name)


def test_a_machine_that_is_ready_is_said_to_be(tmp_path: Path) -> None:
    rows = doctor.rows(settings(tmp_path), BEST, MODEL, SIGNED_IN, HERE)

    assert doctor.works(rows)
    assert row(rows, "model").found == "anthropic/one, 200,000 tokens of context"
    assert row(rows, "credentials").found == "anthropic (key, ANTHROPIC_API_KEY)"
    assert row(rows, "sandbox") == doctor.Row(name="sandbox", found="bubblewrap, seccomp, network of its own")


def test_without_a_model_work_is_impossible_and_the_next_step_is_said(tmp_path: Path) -> None:
    rows = doctor.rows(
        settings(tmp_path), BEST, "no key is set", Credentials(credentials=()), doctor.Here(interactive=False)
    )

    assert not doctor.works(rows)
    assert row(rows, "model").state == "problem"
    assert "trouper auth" in doctor.table(rows).partition("what to do next:")[2]


def test_rules_are_counted_by_the_file_they_are_in(tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    file = tmp_path / "home" / "config.toml"
    file.touch()
    lines = [RuleLine(verdict="deny", text="Read(.env)", source=source) for source in (str(file), str(file), "--deny")]

    rows = doctor.rows(settings(tmp_path, rules=tuple(lines)), BEST, MODEL, SIGNED_IN, HERE)

    assert row(rows, "config").found == f"{file} (2 rules), --deny (1 rules)"


def test_a_config_that_cannot_be_used_is_a_problem_among_the_others(tmp_path: Path) -> None:
    here = doctor.Here(interactive=True, broken="config.toml is not valid TOML.")

    rows = doctor.rows(settings(tmp_path), BEST, MODEL, SIGNED_IN, here)

    assert not doctor.works(rows)
    assert (row(rows, "config").state, row(rows, "config").found) == ("problem", "config.toml is not valid TOML.")
    assert row(rows, "model").state == "ok"


@pytest.mark.parametrize(
    ("level", "chosen", "advice"),
    [
        ("landlock", "auto", "bubblewrap"),
        ("landlock", "landlock", 'sandbox = "auto"'),
        ("none", "none", "--no-sandbox"),
        ("none", "auto", "bubblewrap"),
    ],
)
def test_a_weaker_sandbox_comes_with_the_way_to_a_stronger_one(
    tmp_path: Path, level: SandboxLevel, chosen: str, advice: str
) -> None:
    tools = Tools(tools=(), sandbox=level, sandbox_detail=f"{level}: why")

    found = doctor.sandbox_row(tools, settings(tmp_path, sandbox=chosen))

    assert (found.state, found.found) == ("note", f"{level}: why")
    assert advice in found.advice
