"""Commands that examine the arena itself: its speed, its statistics, this machine, its formats."""
