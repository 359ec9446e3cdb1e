"""What several actors need and none owns: small, without settings and without messages of its own to anybody.

Every module is an entrance. Nothing moves in that has not two users. It imports messages and errors only.
"""
