"""Prompts such as `!ls`, which other programs run in a shell: why they are not sent."""

NO_SHELL = (
    "there is no !command yet. Run {command} in a shell, or ask for it in words; "
    "with a blank before the ! it is sent as it is."
)


def own_command(prompt: str) -> str:
    """Why a prompt such as "!ls" is not sent; "" for every other."""
    is_one = prompt.startswith("!") and prompt[1:2].strip() and "\n" not in prompt.strip()
    return NO_SHELL.format(command=prompt[1:].strip()) if is_one else ""
