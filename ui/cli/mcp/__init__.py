"""What `trouper mcp` can do: one module an action, each a row of the table in `subcommands/mcp.py`.

Every module is an entrance but `here` and `words`, which they share. An action has SUMMARY (its line of help),
`arguments` (adds them to a parser) and `main` (does it, prints, returns the exit code; raises Usage and
BadConfiguration).
"""
