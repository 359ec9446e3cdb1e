"""What the tools know of the web: which addresses are public, one URL's answer, a page as Markdown, a search.

Its entrances are `fetch` and `search`, the two tools. From top to bottom: `fetch`; `outcomes` says what came;
`exchange` asks, `conversion` makes Markdown, in a process that runs `pages`; `network` connects to public addresses
alone; `urls`, `addresses` and `texts` are pure.
"""
