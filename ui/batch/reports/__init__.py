"""What a batch leaves behind for people and programs: rows of its journal in, files out.

Its entrances are `left_behind`, and for the command line `writer`, which writes reports and predictions; `artifacts`
writes a folder for each task, of a session what `session_texts` makes of it. `json_report`, `junit`, `markdown_report`,
`html_report` and `predictions` are the forms, pure, written from `outcomes`, which leaves secrets out; `patches` finds
the patch of a result, `folder_names` makes safe names. It imports `results` and `session_files/`.
"""
