"""The words of `trouper batch` about a batch that is there: how it stands, looking on, pausing it, what failed again.

Every module is an entrance: `status`, `attach` and `cancel` have a `main` that begins a front of their own, `retry` the
arguments of the batch itself. `meant` says which batch is meant.
"""
