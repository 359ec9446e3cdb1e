"""One MCP server each: spoken to by the official SDK, which nothing else imports; kept up, asked, and ended.

Its entrance is `actor`. From top to bottom: `actor`; `reading` of what a server has beside tools, and `log_in`; `calls`
of tools; `server` keeps one up, by what `restarts` says; `connection` is one life of it, in the era that `eras`
remembers; `tasks` are calls that take long; `questions` are what it asks the user, with `forms`, and `sampling` what it
asks the model; `sign_in/` lets us in; `transports/` carry messages, `process/` is what runs, `results/` are what it
gives; `failures` and `errors` say what goes wrong; all numbers are in `limits`.
"""
