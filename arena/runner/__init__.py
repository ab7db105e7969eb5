"""One run of a league: the referees, the coordinator between them and the database, and resuming.

Draws no page.
"""
