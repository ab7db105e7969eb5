"""Commands for who runs a league: play it, show it, check it, keep it."""
