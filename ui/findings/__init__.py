"""What comes back of questions about code: findings, checked against the files they speak of, and reports of them.

Its entrances are `answers` (what a model says), `placing` (what of it is true of the files), `fingerprints` (which are
the same), `baseline` (which were known), `writing` (a report as a file) and `review_comments` (in the form that GitHub
takes). `finding` and `report` are what all of them speak of, `rules` says what kinds there are; `markdown`, `sarif`
and `json_report` are the forms. Nothing here asks a model, and only `writing` and `baseline` touch a file; `report`
looks where the repository begins. It imports `session_files/` for Markdown, and `common/`.
"""
