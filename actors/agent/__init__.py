"""One conversation: prompt, model, tools, results, and again until there is nothing left to do.

Its entrance is `actor`; `turn` is the loop. From top to bottom: `actor`; `conversation`, one session put together;
`typed_commands`, prompts that name a template; the turn and its ports: `compactor` has the model asked for what fits
its window, `tool_call` runs one and `parallel_calls` those of one answer, `hook_moments` and `prompt_additions` at the
session's start; `model_answer` asks the model; `prompt/`, what the model is told first; what they go by: `named_hosts`,
`repetition`, `spending_limit`; `prompt_checkpoints` and `rewind`, so that what was written can be taken back;
`session/`; `compaction/`, what is sent of a long conversation.
"""
