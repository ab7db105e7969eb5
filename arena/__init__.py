"""The arena: plays leagues of Papayoo bots and judges them. Re-exports nothing: import what you need."""
