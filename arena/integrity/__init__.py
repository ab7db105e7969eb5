"""Looks for collusion in what a league has played: twins, and favours of one bot to another.

It is pure and for the organiser alone. It names pairs of bots that are worth a look, and takes nobody out.
"""

from arena.integrity.favours import Favour
from arena.integrity.look import Integrity, Look, look_into
from arena.integrity.naming import LEVEL, Effect
from arena.integrity.twins import KINDS, Likeness, Shared

__all__ = ["KINDS", "LEVEL", "Effect", "Favour", "Integrity", "Likeness", "Look", "Shared", "look_into"]
