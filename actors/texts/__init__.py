"""Texts for the model that lie in files: what may be read of them, and whose words they are.

Its entrance is `instruction_files`. From top to bottom: `instruction_files`, the AGENTS.md of all folders;
`includes` puts other files into a text; `documents` reads one, under the rules of the gate. The agent, the gate and the
screen use it; it imports `settings/`, `common/` and errors, and no actor.
"""
