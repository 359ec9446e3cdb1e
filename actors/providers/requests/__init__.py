"""One request of an agent, from the question to the answer: chosen, limited, tried again, translated.

Its entrance is `model_request`. It imports everything below.
"""
