"""Speed and memory of the real program, beside their targets: `python -m tests.bench [ROW...]`."""
