"""The check of a bot against the protocol, in numbered steps: `parts` lists them, `stage` performs them."""
