"""What the arena asks of Linux: processes, priorities, cores, signals. Must not know games or leagues."""
