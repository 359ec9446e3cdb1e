"""What `trouper doctor` and /doctor find: what this machine, this folder and these settings make possible.

Its entrances are `asking`, which asks those that know and tries the model's service, and `rows`, how it is said;
`checks` are what is looked at.
"""
