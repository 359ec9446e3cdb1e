"""What source files define and refer to, by tree-sitter and the tag queries that come with its grammars; checkers.

Its entrances are `symbols` (a tool), `repository_map` and `diagnostics`. It imports `search/` and what is below.
"""
