"""Looking over a change: what it is, what a model without tools finds in it, and having that mended.

Its entrances are `front` and `commits`, which run as the ui actor, and for the command line `targets` (what is meant,
and its changes), `accepted` (what is to be fixed) and `task` (what is handed on). `patches` and `pull_requests` are
read there, `changes` is what comes of them; `chunks` and `prompts` say what is asked and in which words, `placing`
what of an answer is true. Fixes are made by `batch/`; it imports that, `inquiry/`, `findings/`, `source_text/` and
what is below.
"""
