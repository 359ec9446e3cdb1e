"""The screen as lines: for screen readers, for terminals that cannot move their cursor, and for logs that people read.

Its entrance is `entrance`, which is also the screen's: from a death too many on it goes on as lines. From top to
bottom: `entrance`; `app`, the screen's own with other ends; `scene`, the question or the state that is announced;
`replies`, what a typed line means for a question; `lines`, the transcript under labels; `stream`, both ends.
"""
