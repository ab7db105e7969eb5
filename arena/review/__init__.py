"""What each decision of a bot cost it, over all that the bot could know then.

The package is pure: it reads records and draws from the chance it is given, without clock or storage.
"""
