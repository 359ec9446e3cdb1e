"""Sessions as files: in the forms that they leave in and come back from. Entries in, text or bytes out.

Its entrances are `archive` (a whole session, for another machine), `markdown`, `html` and `atif`. `transcript` is what
the forms for people are written from, `redaction` leaves secrets out, `page_style` is the looks of the page. It imports
`common/` only.
"""
