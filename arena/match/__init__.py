"""One match as a state machine and plain data, from setup to record. Pure: no process, no clock."""
