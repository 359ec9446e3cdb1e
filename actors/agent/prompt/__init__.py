"""The system prompt: its sections, what the user's and the repository's files say, and what of it has changed since.

Its entrance is `told_prompt`, the prompt of a session as it was told first. From top to bottom: `told_prompt`;
`changes`, what is different by now; `system_prompt` puts it together; `sections` are the texts beside the code, or the
user's own in their place; `mode_notes` are what it is told of its mode, in the conversation.
"""
