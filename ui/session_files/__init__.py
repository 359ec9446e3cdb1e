"""Sessions as files: in the forms that they leave in and come back from. Entries in, text or bytes out.

Its entrances are `archive` (a whole session, for another machine), `markdown`, `html` and `atif`. It imports `common/`.
"""
