"""What each page shows, as frozen data: nothing here reads the store or knows how a page looks.

One module a page; templates get these objects and nothing else.
"""
