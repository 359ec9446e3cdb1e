"""One request of an agent, from its arrival to the answer: chosen, limited, tried again, translated.

Its entrance is `model_request`. It imports everything below.
"""
