"""The tools of a bot's author: play without a league, read lines, check, time and replay one bot.

And the measurement of a coordinator, which needs a whole run (`coordinating`).
Re-exports nothing: the commands import what they need, and no other part of the arena imports from here.
"""
