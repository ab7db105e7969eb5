"""A season and what is left of it to play: opening, agenda, parts, forecast. Starts none of its bots."""
