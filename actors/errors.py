"""What can go wrong on purpose, classed by who acts on it; anything else crashes and the supervisor acts.

Trouble
├── Failed              a request was answered with a Problem (the asker acts: tell the user, or the model)
│   └── ActorDied       whoever served it died before answering (the asker acts: ask again, if asking twice is safe)
├── UnexpectedMessage   a bug in the sender (crash loudly)
└── BadConfiguration    the user acts
"""

from actors.messages.base import Problem, ProblemCode


class Trouble(Exception):
    """Everything raised on purpose."""


class Failed(Trouble):
    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.text if not problem.hint else f"{problem.text} {problem.hint}")
        self.problem = problem


class ActorDied(Failed):
    """The request may or may not have taken effect."""


class UnexpectedMessage(Trouble):
    def __init__(self, message: object) -> None:
        super().__init__(f"unexpected {type(message).__name__}")


class BadConfiguration(Trouble):
    """Text for the user: file, key, cause, next step."""


def failed(code: ProblemCode, text: str, hint: str = "") -> Failed:
    """The exception for a Problem."""
    problem = Problem(code=code, text=text, hint=hint)
    return ActorDied(problem) if code == "actor_died" else Failed(problem)
