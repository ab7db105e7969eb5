"""One run of a league: referees, the coordinator between them and the database, resuming. Draws no page."""
