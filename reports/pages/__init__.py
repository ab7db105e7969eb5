"""Builds the pages of a site: one module a page, from a season's facts to the data that a template shows.

Templates get these frozen objects and nothing else. Nothing here reads the store, writes a file or knows
how a page looks.
"""
