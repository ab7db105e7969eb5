"""One match as a state machine and as plain data, from setup to record.

Pure: must not know processes or clocks.
"""
