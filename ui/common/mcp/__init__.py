"""What a user names of MCP servers in a prompt: resources as @server:uri, prompts as /server:prompt.

Its entrance is `quoting`, which asks the servers. Below: `mentions` finds resources in what was typed, `prompt_lines`
reads a command.
"""
