"""What a typed line means for an open question: a number, a letter or a word, and never anything by accident."""

from dataclasses import dataclass

from actors.messages.tool import Choice, UserAsked
from ui.common import harmless
from ui.screen.questions.page import page
from ui.screen.questions.panel import HEADINGS
from ui.screen.terminal.theme import Theme

LEAVING = ("no", "n", "cancel", "esc")
"""Words for what Esc gives, where no choice has them."""
ANSWER = "answer: "
"""The prompt."""
WHICH_WORDS = "question: in which words? An empty line goes back to the answers"
LIST = "Choose"
NONE_OF_THEM = "that is none of the answers, and nothing was sent. Type the number or the word of one, then Enter"
UNSEEN = "it is too long to be shown whole, so it can only be refused"


@dataclass(frozen=True)
class Reply:
    choice: Choice | None
    """None: what Esc gives."""
    text: str = ""


def asked(question: UserAsked, width: int, theme: Theme) -> list[str]:
    """All of it, then its choices by number."""
    said = page(question, width, theme).all_rows
    choices = [
        f"  {at}. {_said(choice)}{' (and say what)' * choice.takes_text}"
        for at, choice in enumerate(question.choices, 1)
    ]
    return [f"question: {HEADINGS.get(question.kind, LIST)}", *said, *choices]


def _said(choice: Choice) -> str:
    facts = " ".join(harmless.exposed_line(choice.facts).split())
    return harmless.exposed_line(choice.label) + f" ({facts})" * bool(facts)


def unseen(question: UserAsked) -> str:
    """What is wanted, where nothing of it is shown."""
    return f"question: {question.title}. It is not shown while you type it; an empty line goes back"


def meant(question: UserAsked, line: str) -> Reply | None:
    """None: none of the answers."""
    word, _, text = line.strip().partition(" ")
    if not word:
        return None
    if called := _called(question, line.strip().casefold()):
        return Reply(called)
    named = _named(question, word.rstrip(".:,").casefold())
    if named is not None and (named.takes_text or not text):
        return Reply(named, text.strip())
    if question.kind == "question" and (free := _takes_all(question)) is not None:
        return Reply(free, line.strip())
    return Reply(None) if line.strip().casefold() in LEAVING else None


def _named(question: UserAsked, word: str) -> Choice | None:
    """By its number or its letter; yes and no are those of y and n."""
    word = {"yes": "y", "no": "n"}.get(word, word)
    numbered = {str(at): choice for at, choice in enumerate(question.choices, 1)}
    keyed = {choice.key.casefold(): choice for choice in reversed(question.choices) if choice.key}
    return keyed.get(word) or numbered.get(word)


def _called(question: UserAsked, words: str) -> Choice | None:
    """By its label, or how that begins; where two begin so, by the whole of it."""
    labels = [(choice.label.casefold(), choice) for choice in question.choices]
    begun = [choice for label, choice in labels if label.startswith(words)]
    return next((choice for label, choice in labels if label == words), begun[0] if len(begun) == 1 else None)


def _takes_all(question: UserAsked) -> Choice | None:
    """Where one choice alone takes words, words without a number are for it."""
    taking = [choice for choice in question.choices if choice.takes_text and not choice.refuses]
    return taking[0] if len(taking) == 1 else None
