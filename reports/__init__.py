"""The pages of a league, written from its database alone."""
