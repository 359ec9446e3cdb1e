"""What a command shows of the session and of what it has to work with, and what leaves it: copied, or in a file.

Its entrance is `reports`. Below: `costs` by model, `standing` for /status, `offered` tools and skills, `changes` of the
workspace; `copying` an answer or a block of code, `exporting` to a file.
"""
