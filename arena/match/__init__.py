"""One match as a state machine and as plain data, from setup to record.

It is pure, and must not know processes or clocks.
"""
