"""Computes the score of a league: session results in, standings and verdicts out. No IO and no clock.

`counting` says which sessions count, `fit` has the score and `spread` how sure it is, `verdicts` what may be
claimed, `paired` duels and gauntlets, `table` the leaderboard, `scoring` all of it for a season. Re-exports
nothing, for numpy takes as long to load as a short command runs.
"""
