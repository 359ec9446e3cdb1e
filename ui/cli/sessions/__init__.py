"""What `trouper sessions` can do: one module an action, each a row of the table in `subcommands/sessions.py`.

Every module is an entrance. It has SUMMARY (its line of help), `arguments` (adds them to a parser), `wanted` (what is
handed to the front; raises Usage) and `answer` (prints, returns the exit code). They do not import one another; what is
heavy they import when they answer.
"""
