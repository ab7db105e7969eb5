"""The tools of a bot's author: play without a league, read lines, check, time and replay one bot.

Re-exports nothing: the commands import what they need, and no other part of the arena imports from here.
"""
