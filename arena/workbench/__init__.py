"""The tools of a bot's author: kits, one match without a league, check, replay and review of one bot.

Re-exports nothing: the commands import what they need, and no other part of the arena imports from here.
"""
