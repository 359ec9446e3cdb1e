"""/model and /effort: who answers from the next request on, and how hard it thinks."""

from ui.screen.commands.base import Actions, Command, Misused


def run_model(actions: Actions, argument: str) -> None:
    words = argument.split()
    if len(words) > 2:
        raise Misused("write /model PROVIDER/NAME [EFFORT]")
    if words and ("/" in words[0] or words[0].startswith("scripted:")):
        actions.set_model(words[0], words[1] if len(words) == 2 else None)
    else:
        actions.offer_models(argument)


def run_effort(actions: Actions, argument: str) -> None:
    if not argument:
        actions.offer_efforts()
    elif len(argument.split()) > 1:
        raise Misused("write /effort LEVEL")
    else:
        actions.set_model("", "" if argument == "default" else argument)


MODEL = Command(
    "model",
    "[NAME [EFFORT]]",
    "PROVIDER/NAME answers from now on; a word or nothing lists models",
    run_model,
    completes=("MODEL [EFFORT]",),
)
EFFORT = Command(
    "effort", "[LEVEL]", 'how hard it thinks, or "default"; nothing lists the levels', run_effort, completes=("EFFORT",)
)
