"""People at a table by way of web pages: a small server, who may act for a seat, and what each is sent."""
