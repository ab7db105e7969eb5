"""Looks back at what was played: what decisions cost, where points went, what was luck, and what to mend.

It reads records and draws from the chance that it is given. It changes no score, starts no process and reads
no clock.
"""
