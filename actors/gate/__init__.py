"""The only way to a tool: it decides allow, ask or deny for every call, and hands on what it allows.

Its entrance is `actor`. From top to bottom: `actor`; what it asks and remembers (`authorisation`, `approval`, `hooks`,
`workers`, ...); `rules/` decides; `subjects/` finds what a call touches; `bash/` reads command lines; `decision` says
what a decision is.
"""
