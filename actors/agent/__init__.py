"""One conversation: prompt, model, tools, results, and again until there is nothing left to do.

Its entrance is `actor`; `turn` is the loop. From top to bottom: `actor`, `conversation`, the turn and its ports
(`turn`, `model_answer`, `tool_call`, `hook_moments`, ...), `session/`.
"""
