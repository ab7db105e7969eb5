"""The proof of the statistics: leagues whose truth is known, and how often the arena is wrong about them.

    python -m arena.proof --quick                   a minute; exits with 1 if a claim does not hold
    python -m arena.proof --into docs/proof.json    all of it, stored
    python -m arena.proof tables                    the tables of docs/statistics.md, from what is stored

The schedule, the score and the verdicts are the arena's own code; only the bots are simulated (`world`, and
`played` for real rounds). `closed`, `opened`, `stages`, `gauntlets` and `excluded` are the questions, and
`worlds` has the leagues of which they are asked. Pure: no processes of bots, no messages, no database.
"""
