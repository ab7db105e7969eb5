"""Commands for who looks at the arena itself: its speed, its statistics, this machine, its formats."""
