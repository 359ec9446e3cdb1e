"""Calls of tools, whoever has made them: the model, a template that a prompt names, or the user who types `!cmd`.

Its entrances are `tool_call`, which runs one; `typed_commands`, those of a template, before its prompt is accepted; and
`shell_commands`, the user's own, beside the turns.
"""
