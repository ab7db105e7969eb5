"""The pages of a site: one module a page, from a season's facts to frozen data that a template shows.

Templates get these objects and nothing else. Nothing here reads the store, writes a file or knows how a
page looks.
"""
