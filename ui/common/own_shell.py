"""Prompts such as `!ls`, which the screen runs as a command of the user's own, and nothing else does."""

NO_SHELL = (
    "!command is only run on the screen. Run {command} in a shell, or ask for it in words; "
    "with a blank before the ! it is sent as it is."
)


def shell_line(prompt: str) -> tuple[str, bool]:
    """The command of "!ls" or "!!ls", and whether the model is told of it; "" for every other prompt."""
    if not prompt.startswith("!") or not prompt[1:2].strip() or "\n" in prompt.strip():
        return "", False
    told = not prompt.startswith("!!")
    return prompt[1 if told else 2 :].strip(), told


def own_command(prompt: str) -> str:
    """Why a prompt such as "!ls" is not sent where there is no screen; "" for every other."""
    command, _ = shell_line(prompt)
    return NO_SHELL.format(command=command) if command else ""
