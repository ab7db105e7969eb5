"""Does a bot keep to the protocol? Numbered steps, each judged; `parts` lists them, `stage` performs them."""
