"""What the arena asks of Linux: processes, priorities, cores, signals. It must not know games or leagues."""
