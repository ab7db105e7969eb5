"""Commands for who writes a bot: begin one, try it, ask whether it is better."""
