"""A person's seat at a table: lines of the protocol in, what the person may see out, and answers as lines."""
