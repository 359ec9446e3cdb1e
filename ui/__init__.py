"""What people meet: the command line, the screen, and headless runs. It talks to actors by messages alone.

Its entrance is `launch`, the program's first lines. From top to bottom: `launch`; `cli/` finds out what is wanted;
`screen/` and `headless/` are the fronts, which run as the ui actor of a session, `plain/` is that screen as lines;
`start/` makes a session from settings and a front, `session_files/` has the forms of sessions as files,
`bug_report/` puts a file together for whoever is to find a fault, `source_text/` is what is sent of code that is asked
about, `findings/` what comes back of it; `common/` is what several of them need.
"""
