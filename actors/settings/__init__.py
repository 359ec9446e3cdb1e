"""What the user has said for good: config files, rules as written, what was vouched for; and tables of what there is.

Its entrance is `config`, all keys of the user's file: `load` reads everything. From top to bottom: `saved_rules` writes
what is always allowed; `brought`, what of a workspace waits for the user's word; `config`; `workspace_files`, which
count when the user has vouched for them (`trust`), and `opened_places`; `permissions`, rules as written; `mcp/`, the
servers that are configured; `secrets/`, whose values there are and how a text is freed of them (`redaction`: by their
looks alone); `toml_files`. Tables that several actors read: `tool_names`,
`services` (addresses, ports and keys of model services), `sign_ins`, `credential_files` and `secret_variables` (what is
kept from commands), `covered_files`. It imports messages, errors and `common/`; no actor.
"""
