"""Which ways to a model a first start offers, of what was found."""

from actors.messages.auth import Credential, Credentials, OtherProgram, Programs
from actors.messages.model import ListedModel, ModelFacts, Models
from ui.screen.first_start import offers

NOTHING = (Credentials(credentials=()), Models(models=()), Programs(programs=()))
GROQ = Credential(provider="groq", kind="key", place="GROQ_API_KEY")


def listed(model: str, *, usable: bool = True) -> ListedModel:
    return ListedModel(model=model, facts=ModelFacts(), usable=usable)


def test_with_nothing_there_it_can_be_signed_in_pasted_looked_for_and_tried() -> None:
    assert [offer.way for offer in offers.of(*NOTHING)] == ["sign in", "key", "again", "demo"]


def test_what_is_there_comes_first_and_a_server_once() -> None:
    models = Models(
        models=(
            listed("groq/one"), listed("ollama/qwen"), listed("ollama/other"), listed("openai/x", usable=False)
        )
    )  # fmt: skip
    programs = Programs(programs=(OtherProgram(program="gh", place="/usr/bin/gh"),))

    found = offers.of(Credentials(credentials=(GROQ,)), models, programs)

    assert [(offer.way, offer.name) for offer in found] == [
        ("provider", "groq"),
        ("server", "ollama/qwen"),
        ("program", "gh"),
        ("sign in", ""),
        ("key", ""),
        ("demo", ""),
    ]
    assert found[0].facts == "key in GROQ_API_KEY"


def test_a_key_for_searching_or_merging_answers_nobody() -> None:
    brave = Credential(provider="brave", kind="key", place="BRAVE_API_KEY")

    found = offers.of(Credentials(credentials=(brave,)), *NOTHING[1:])

    assert [offer.way for offer in found] == ["sign in", "key", "again", "demo"]


def test_a_name_that_steers_the_terminal_is_made_harmless() -> None:
    models = Models(models=(listed("mine/\x1b[2Jx"),))

    assert "\x1b" not in repr([offer.row for offer in offers.of(NOTHING[0], models, NOTHING[2])])


def test_keys_are_taken_by_services_that_want_one() -> None:
    credentials = Credentials(credentials=(), missing=("anthropic", "codex", "copilot", "mine"))

    assert offers.takers_of_keys(credentials) == ["anthropic", "mine"]
