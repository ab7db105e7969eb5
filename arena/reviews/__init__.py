"""Looks back at what a bot played: where its points go, what decisions cost, and what costly ones share.

It reads records and draws from the chance that it is given. It changes no score, starts no process and reads
no clock.
"""
