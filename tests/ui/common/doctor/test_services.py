"""What the doctor says of the model and the credentials."""

import os
from pathlib import Path

from actors.messages.auth import Credential, Credentials
from actors.messages.model import ModelFacts, ResolvedModel, ServiceSaid
from actors.settings.config import Settings
from ui.common.doctor import services
from ui.common.doctor.rows import Row

NOW = 1_000_000.0
MODEL = ResolvedModel(model="anthropic/one", facts=ModelFacts(context=200_000))
KEY = Credential(provider="anthropic", kind="key", place="ANTHROPIC_API_KEY")


def test_a_model_is_told_with_what_its_service_says() -> None:
    said = ServiceSaid(state="note", text="it lists 3 models, and not this one", hint="It offers anthropic/two.")

    assert services.model_row(MODEL, said) == Row(
        name="model",
        state="note",
        found="anthropic/one, 200,000 tokens of context; it lists 3 models, and not this one",
        advice="It offers anthropic/two.",
    )


def test_without_a_model_work_is_impossible_and_the_next_step_is_said() -> None:
    row = services.model_row("no key is set", None)

    assert (row.state, "trouper auth" in row.advice) == ("problem", True)


def test_credentials_in_order_are_one_row() -> None:
    renewed = Credential(provider="codex", kind="sign-in", place="auth.json", expires_at=None)

    assert services.credential_rows(Credentials(credentials=(KEY, renewed)), NOW) == [
        Row(name="credentials", found="anthropic (key, ANTHROPIC_API_KEY), codex (sign-in, auth.json)")
    ]


def test_one_that_has_ended_or_is_another_services_has_a_row_of_its_own() -> None:
    ended = Credential(provider="codex", kind="sign-in", place="auth.json", expires_at=NOW - 1)
    doubtful = Credential(provider="openai", kind="key", place="OPENAI_API_KEY", doubt="it looks like a key of groq")

    rows = services.credential_rows(Credentials(credentials=(KEY, ended, doubtful)), NOW)[1:]

    assert [(row.name, row.state) for row in rows] == [
        ("credentials: codex", "warning"),
        ("credentials: openai", "warning"),
    ]
    assert "trouper auth login codex" in rows[0].advice
    assert "OPENAI_API_KEY" in rows[1].found


def test_a_file_of_keys_that_others_can_read_is_told_of(tmp_path: Path) -> None:
    settings = Settings(home=str(tmp_path), cwd=str(tmp_path), session_id="s", run_id="r")
    path = tmp_path / services.KEPT

    assert services.kept_rows(settings) == []
    path.touch(0o600)
    assert services.kept_rows(settings) == []
    os.chmod(path, 0o640)  # noqa: PTH101  # past the umask
    assert [row.state for row in services.kept_rows(settings)] == ["warning"]
