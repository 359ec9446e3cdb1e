"""What the user has said for good: config files, rules as written, what was vouched for, where secrets lie.

Its entrance is `config`: `load` reads everything. From top to bottom: `saved_rules` writes; `config`;
`workspace_files`, which count when the user has vouched for them (`trust`), and `opened_places`; `permissions`, rules
as written; `tool_names`, `services` and `sign_ins`, all that there are. It imports messages, errors and `common/`; no
actor.
"""
