"""One request of an agent, from its arrival to the answer: chosen, limited, tried again, translated.

Its entrance is `model_request`. `translation` fits the conversation to the model, `limiter` says whose turn it is,
`tries` sends until there is an answer, `server_quirks` remembers refusals; `edit_merge` and `web_search` ask services
that have no model. It imports everything below.
"""
