"""The pager: the whole of a session on the alternate screen, read from the store page by page.

Its entrance is `door`, which alone is imported before somebody asks for the rest. Below: `reading` brings pages from
the store, `pager` knows what its keys mean, `frame` which rows are seen and `place` where in the session they are;
`window` holds the pages around it, `telling` makes blocks of entries, `block` is one of them.
"""
