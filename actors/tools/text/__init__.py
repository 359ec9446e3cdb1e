"""Lines of text files: how they end, how they differ, which of them were meant. Pure.

Every module is an entrance. It imports `limits`.
"""
