"""One conversation: prompt, model, tools, results, and again until there is nothing left to do.

Its entrance is `actor`; `turn` is the loop. From top to bottom: `actor`; `conversation`, one session put together;
the turn and its ports: `compactor` has the model asked for what fits its window, `hook_moments` and `prompt_additions`
at the session's start; `calls/` run, also those of templates and the user's own, `parallel_calls` are those of one
answer; `model_answer` asks the model; `prompt/`, what the model is told first; what they go by: `named_hosts`,
`repetition`, `own_budget`; `prompt_checkpoints` and `rewind`, so that what was written can be taken back;
`session/`; `compaction/`, what is sent of a long conversation.
"""
