"""What the arena asks of Linux: processes, priorities, cores, signals. Knows no game and no league."""
