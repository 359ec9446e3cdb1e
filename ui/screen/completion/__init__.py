"""Lists that open below the composer: commands behind a slash, what their arguments may be, files and more behind an @.

Its entrance is `popup`, which has the keys while it is open. Below: `sources` ask the others for what there is;
`arguments` say what a command's argument completes from; `targets`, which word is completed, and `candidates` for it.
"""
