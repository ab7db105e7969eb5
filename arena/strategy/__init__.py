"""How every seat plays in a rollout, and how hidden cards are dealt again: Redeal and the review share both.

The package is pure: it must not know searches, clocks, matches or messages.
"""

from arena.strategy.dealing import Dealer, Seen
from arena.strategy.policy import NO_CARD, Policy, alike, best_of, passed, worst_first

__all__ = ["NO_CARD", "Dealer", "Policy", "Seen", "alike", "best_of", "passed", "worst_first"]
