"""Looking over a change: what it is, what a model without tools finds in it, one report.

Its entrances are `front`, which runs as the ui actor, and for the command line `targets` (what is meant, and its
changes) and `task`. `patches` and `pull_requests` are read there, `changes` is what comes of them; `chunks` and
`prompts` say what is asked and in which words, `placing` what of an answer is true. It imports `inquiry/`, `findings/`,
`source_text/` and what is below.
"""
