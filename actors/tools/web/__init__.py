"""What the tools know of the web: which addresses are public, one URL's answer, a page as Markdown, a search.

Its entrances are `fetch` and `search`, the two tools. From top to bottom: `fetch`; `fetch_outcome` says what came;
`exchange` asks, `conversion` makes Markdown, in a process that runs `page_program`; `network` connects to public
addresses alone; `urls`, `addresses` and `page_text` are pure.
"""
