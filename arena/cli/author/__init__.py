"""Commands for people who write a bot: begin one, try it, find out whether it is better."""
