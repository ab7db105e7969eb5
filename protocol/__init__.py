"""Protocol 1: how a referee and a bot talk. Knows nothing of the arena."""
