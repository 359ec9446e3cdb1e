"""What a theme is: a palette of styles in words, for dark and for light terminals.

Its entrance is `built_in`. From top to bottom: `user_themes` are files, `built_in` are ours, and `styles` become SGR
sequences with as many colours as there are.
"""
