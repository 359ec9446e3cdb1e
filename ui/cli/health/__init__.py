"""The commands that look at what may be wrong: `trouper doctor` and `trouper bug-report`.

Every module is an entrance: `doctor` and `bug_report` have a `main` each, as those of `subcommands/` do, and
`settings_although` reads the settings of both.
"""
