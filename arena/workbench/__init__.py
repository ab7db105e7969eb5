"""What a bot's author uses: play without a league, read lines, check, time and replay one bot.

Re-exports nothing: the commands import what they need, and nothing else of the arena imports from here.
"""
