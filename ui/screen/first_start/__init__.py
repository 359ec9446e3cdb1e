"""A first start, on which there is no model to answer: the user says how to get one, and the session goes on.

Its entrance is `first_model`, which alone is loaded where there is a model. Below: `guide`, what is asked and done;
`access`, each way to a model, as the providers keep it; `offers`, which ways there are; `ports`, to the rest of the
screen. It imports `questions/`.
"""
