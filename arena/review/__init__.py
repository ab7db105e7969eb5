"""Looks back at what was played: what decisions cost, where points went, what was luck, and what to mend.

It changes no score and starts no process.
"""
