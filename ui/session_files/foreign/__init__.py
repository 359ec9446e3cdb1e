"""Sessions that other agents wrote, as entries of ours: of Claude Code, Codex and pi. Lines in, entries out; no actors.

Its entrances are `recognition` (whose session a file is, and what it says) and `places` (where they keep theirs).
`claude`, `codex` and `pi` know a format each: they survey a file and turn its records into `parts`; `entries` makes a
valid session of any parts. `records` and `values` read what may be torn or hostile, `tree` finds the path that counts.
"""
