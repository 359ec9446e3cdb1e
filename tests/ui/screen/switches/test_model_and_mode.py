"""/model, /effort and /attach: what they ask for and what they say."""

from dataclasses import dataclass, field

import pytest

from actors.errors import Failed, failed
from actors.mailbox import Mailbox
from actors.messages.model import ListedModel, ListModels, ModelFacts, Models, Price, ResolvedModel, ResolveModel
from actors.messages.tool import Mode, UserAnswered, UserAsked
from actors.messages.turn import ModelIs, SetModel
from actors.providers.endpoint import Endpoint, Target
from actors.providers.models import abilities
from tests.fakes.network import open_network
from ui.screen.commands import dispatch
from ui.screen.switches.model_switch import ModelSwitch

EFFORTS = ModelFacts(id="big", context=200_000, efforts=("low", "high"), prices=(Price(input=3, output=15),))
BIG = ListedModel(model="a/big", facts=EFFORTS, usable=True)
SMALL = ListedModel(model="b/small", facts=ModelFacts(), usable=True)
LOCKED = ListedModel(model="c/locked", facts=ModelFacts(), usable=False, why_not="Set C_KEY.")


@dataclass
class Said:
    """The screen, as commands see it."""

    done: list[object] = field(default_factory=list)

    def say(self, text: str, level: str = "info") -> None:
        self.done.append((level, text))

    def set_mode(self, mode: Mode) -> None:
        self.done.append(mode)

    def toggle_plan(self) -> None:
        self.done.append("plan")

    def research(self, question: str) -> None:
        self.done.append(("research", question))

    def show_rules(self) -> None:
        self.done.append("rules")

    def forget_rule(self, which: str) -> None:
        self.done.append(("forget", which))

    def set_model(self, model: str, effort: str | None) -> None:
        self.done.append(("model", model, effort))

    def offer_models(self, wanted: str) -> None:
        self.done.append(("offer", wanted))

    def offer_efforts(self) -> None:
        self.done.append("efforts")

    def bring_back(self, line: str) -> None:
        self.brought_back = line

    def attach(self, text: str) -> None:
        self.done.append(("attach", text))

    def leave(self) -> None:
        self.done.append("leave")


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("/model a/big", ("model", "a/big", None)),
        ("/model a/big high", ("model", "a/big", "high")),
        ("/model scripted:x.toml", ("model", "scripted:x.toml", None)),
        ("/model", ("offer", "")),
        ("/model big", ("offer", "big")),
        ("/model a/big high more", ("warning", "write /model PROVIDER/NAME [EFFORT]")),
        ("/effort", "efforts"),
        ("/effort high", ("model", "", "high")),
        ("/effort default", ("model", "", "")),
        ("/effort so much", ("warning", "write /effort LEVEL")),
        ("/mode auto", "auto"),
        ("/mode yolo", "auto"),
        ("/mode ask", "default"),
        ("/mode read-only", "plan"),
        ("/plan", "plan"),
        ("/plan it", ("warning", "/plan takes nothing: say what to plan as your next prompt")),
        ("/ask", ("research", "")),
        ("/ask what is a/b for?", ("research", "what is a/b for?")),
        ("/permissions", "rules"),
        ("/permissions forget 3", ("forget", "3")),
        ("/permissions forget Bash(npm test:*)", ("forget", "Bash(npm test:*)")),
        ("/permissions forget", ("warning", "write /permissions, or /permissions forget NUMBER or RULE")),
        ("/permissions remove 3", ("warning", "write /permissions, or /permissions forget NUMBER or RULE")),
        ("/attach my shot.png", ("attach", "my shot.png")),
    ],
)
def test_what_a_command_means(line: str, expected: object) -> None:
    screen = Said()

    dispatch.run(screen, line)

    assert screen.done == [expected]


async def agent(mailbox: Mailbox) -> None:
    async for request in mailbox:
        match request.message:
            case SetModel(model="a/none"):
                request.fail(failed("unknown_model", "there is no a/none.").problem)
            case SetModel(model=model, effort=effort):
                request.reply(ModelIs(model=model or "a/big", effort=effort or "", left_out=("shot.png",)))


async def providers(mailbox: Mailbox) -> None:
    async for request in mailbox:
        match request.message:
            case ListModels(filter=wanted):
                found = tuple(one for one in (BIG, SMALL, LOCKED) if wanted in one.model)
                request.reply(Models(models=found, nearest=() if found else ("a/big",)))
            case ResolveModel(model=model):
                request.reply(ResolvedModel(model=model, facts=EFFORTS if model == "a/big" else ModelFacts()))


async def heard(
    what: str, *arguments: str | None, shown: bool = False, choices: tuple[str, ...] = ()
) -> list[tuple[str, str]]:
    """choices: of the lists that come, one after the other; each list is said as it was."""
    said: list[tuple[str, str]] = []
    left = list(choices)

    async def ask(question: UserAsked) -> UserAnswered:
        rows = [f"{one.label}  {one.facts}".rstrip() for one in question.choices]
        said.append((question.title, " | ".join(" ".join(row.split()) for row in rows)))
        return UserAnswered(choice=left.pop(0))

    async with open_network() as network:
        network.start("agent:main", agent)
        network.start("providers", providers)
        switching = ModelSwitch(
            network.mailbox("ui"), "agent:main", lambda *told: said.append(told), lambda: shown, ask, lambda: "b/small"
        )
        await getattr(switching, what)(*arguments)
    return said


NOW = ("from now on a/big answers, effort high", "info")
LEFT_OUT = ("a/big does not take shot.png: it is told so instead", "warning")


async def test_a_switch_is_said_once_and_what_is_left_out() -> None:
    assert await heard("set", "a/big", "high") == [NOW, LEFT_OUT]
    assert await heard("set", "a/big", "high", shown=True) == [LEFT_OUT]


async def test_a_switch_that_fails_says_why() -> None:
    assert await heard("set", "a/none", None) == [("there is no a/none.", "error")]


async def test_words_that_only_one_model_has_take_it() -> None:
    assert await heard("offer", "big") == [("from now on a/big answers", "info"), LEFT_OUT]


WHO = ("Who answers from now on?", "a/big 200k $3/$15 low/high | b/small now")
HOW = ("How hard is a/big to think?", "default as its service has it | low | high | off")


async def test_what_can_be_had_is_chosen_in_a_list_and_then_how_hard_it_thinks() -> None:
    assert await heard("offer", "", choices=("0", "2")) == [WHO, HOW, NOW, LEFT_OUT]


async def test_where_none_is_chosen_all_stays_as_it_is() -> None:
    assert await heard("offer", "", choices=("",)) == [WHO]


async def test_what_cannot_be_had_says_why() -> None:
    assert await heard("offer", "lock") == [("c/locked cannot be used now: Set C_KEY.", "warning")]
    assert await heard("offer", "bgi") == [('no model has "bgi" in its name. Near to it: a/big.', "warning")]


async def test_efforts_are_those_of_the_model() -> None:
    assert await heard("offer_efforts", "a/big", choices=("2",)) == [HOW, NOW, LEFT_OUT]
    assert await heard("offer_efforts", "a/big", choices=("",)) == [HOW]
    assert await heard("offer_efforts", "b/small") == [
        ("what b/small knows, only its service can say: /effort LEVEL tries one", "info")
    ]


@pytest.mark.parametrize(
    ("facts", "known"),
    [
        (EFFORTS, "low, high, off"),
        (ModelFacts(id="x", efforts=("low",), thinking="always"), "low"),
        (ModelFacts(id="x", thinking="budget"), "low, medium, high, off"),
        (ModelFacts(id="x"), "off"),
    ],
)
def test_what_is_listed_is_what_is_accepted(facts: ModelFacts, known: str) -> None:
    endpoint = Endpoint(provider="p", api="openai-chat", base_url="http://h")
    with pytest.raises(Failed, match=f"It knows: {known}\\.$"):
        abilities.check_effort(Target(endpoint=endpoint, name="x", facts=facts), "nonsense")

    assert ", ".join(facts.choices) == known
