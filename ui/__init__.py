"""What people meet: the command line, the screen, and headless runs. It talks to actors by messages alone.

Its entrance is `launch`, the program's first lines. From top to bottom: `launch`; `cli/` finds out what is wanted;
`screen/` and `headless/` are the fronts, which run as the ui actor of a session, `plain/` is that screen as lines;
`batch/`, `audit/`, `review/` and `bug_report/` are those of these commands, `serve/` answers other programs; the second
and the third ask by `inquiry/`, of which `source_text/` is what is sent and `findings/` what comes back. `start/` makes
a session from settings and a front, `session_files/` has the forms of sessions as files; `common/` is what several of
them need.
"""
