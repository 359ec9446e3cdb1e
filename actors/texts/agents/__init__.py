"""Subagents, as the model knows them: the tools that it starts and steers them with, and which kinds there are.

Its entrances are `agent_tools` and `kinds`. Below: `claude_format` reads what a file says of tools, in our words or in
another agent's, and `definition` is what a kind is. Each text for a model is a NAME.md beside the code: those of the
tools here, the prompts of the built-in kinds in a folder of their own. The gate and the agent use it; it imports other
texts, `settings/`, `common/` and errors.
"""
