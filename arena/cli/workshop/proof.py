"""`arena proof`: tests the arena's statistics on simulated leagues."""

from __future__ import annotations

import json
import os
import sys

import click

from arena.cli.exits import NO
from arena.cli.options import as_json, examples

__all__ = ["proof"]


@click.command(
    epilog=examples("arena proof --quick", "arena proof --only order --leagues 5000 --json > order.json")
)
@click.option("--quick", is_flag=True, help="Fewer studies and leagues: under a minute on one core.")
@click.option(
    "--seed", default=1, show_default=True, metavar="N", help="The same seed gives the same numbers."
)
@click.option(
    "--leagues",
    type=click.IntRange(min=40),
    metavar="N",
    help="Leagues of each study, 40 or more.  [default: as many as the study needs]",
)
@click.option(
    "--only", multiple=True, metavar="NAME", help="Only studies whose name begins like this; may be repeated."
)
@click.option(
    "--jobs", type=click.IntRange(min=1), metavar="N", help="Processes.  [default: one for each core]"
)
@as_json
def proof(
    quick: bool, seed: int, leagues: int | None, only: tuple[str, ...], jobs: int | None, as_json: bool
) -> int:
    """Test the statistics on simulated leagues.

    Simulates leagues of bots whose true strengths are known, with a fast model and with real rounds of
    simple players. Counts how often the intervals contain the truth, how often a wrong order is
    declared, and how much more a Latin session tells than random seats. Each figure is followed by its
    standard error and by what is claimed of it. Exits with 1 if a claim does not hold.
    """
    from arena.proof import (
        findings_data,
        findings_text,
        full_studies,
        quick_studies,
        run_studies,
        summary,
    )

    known = quick_studies() if quick else full_studies()
    studies = [study for study in known if not only or study.name.startswith(only)]
    if not studies:
        names = ", ".join(study.name for study in known)
        raise click.BadParameter(
            f"no study begins with {' or '.join(only)}: there are {names}", param_hint="--only"
        )
    if leagues is not None:
        studies = [study.resized(leagues) for study in studies]
    total = sum(study.leagues for study in studies)
    workers = jobs or len(os.sched_getaffinity(0))
    done = []
    with click.progressbar(length=total, label="Simulating", file=sys.stderr) as bar:
        for findings in run_studies(studies, seed, workers, bar.update):
            done.append(findings)
            if not as_json:
                click.echo(findings_text(findings))
    if as_json:
        click.echo(json.dumps(findings_data(done, seed), indent=2, ensure_ascii=False))
    else:
        click.echo(summary(done))
    return 0 if all(findings.holds for findings in done) else NO
