"""Commands for people who run a league: play it, show it, check it."""
