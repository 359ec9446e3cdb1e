"""One MCP server each: spoken to by the official SDK, which nothing else imports; kept up, asked, and ended.

Its entrance is `actor`. From top to bottom: `actor`; `calls` of tools and `reading` of what else there is; `server`
keeps one up, by what `restarts` says; `connection` is one life of it, in the era that `eras` remembers; `tasks` are
calls that take long; `questions` are what it asks, with `forms`; `transports/` carry messages, `process/` is what runs,
`results/` are what it gives; `failures` and `errors` say what goes wrong; all numbers are in `limits`.
"""
