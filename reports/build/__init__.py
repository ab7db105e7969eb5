"""From what the store tells to page data: one module a page, all of them pure."""
