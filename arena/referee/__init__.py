"""The referee process: seats bots, plays the sessions it is sent, reports their records. Stores nothing."""
