"""An audit of the workspace: its text in chunks to a model without tools, what comes back checked, one report.

Its entrances are `front`, which runs as the ui actor, and for the command line `task`. `plan` says what is asked,
`prompts` in which words, `answers` what of an answer is true, `reduction` which findings say the same. It imports
`inquiry/`, `findings/`, `source_text/` and what is below.
"""
