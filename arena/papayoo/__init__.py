"""The rules of Papayoo, pure: no clocks, no processes, no messages."""
