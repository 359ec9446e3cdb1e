"""What commands and servers run in: where they are started, what they see and may do, and how all of them end.

Its entrances are `sandbox/` and `processes/`. The workers of tools and the actors of MCP servers use it. Below: what
rules hide (`hidden_files`), where a repository is (`git_folder`), what nobody writes (`protected_places`), and `errors`
and `limits`; above: how a git is called that only looks (`git_looking`). It imports `settings/`, `common/`, messages
and errors.
"""
