"""Runs the proof: `python -m arena.proof`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from arena.proof.study import NOTHING, Figure, Study, run_studies
from arena.proof.tables import filled, markdown
from arena.proof.worlds import quick_studies, studies

STORED, DOCUMENT = Path("docs/proof.json"), Path("docs/statistics.md")


@click.command()
@click.argument("what", type=click.Choice(["run", "tables", "docs"]), default="run")
@click.option("--quick", is_flag=True, help="Fewer studies and leagues: under a minute on one core.")
@click.option("--seed", default=1, show_default=True, help="The same seed gives the same numbers.")
@click.option("--leagues", type=click.IntRange(min=2), help="Leagues of each study; fewer if it has fewer.")
@click.option("--only", multiple=True, metavar="NAME", help="Only studies whose name begins so; repeatable.")
@click.option("--jobs", type=click.IntRange(min=1), help="Processes.  [default: one for each core]")
@click.option("--into", type=click.Path(path_type=Path), help="Store the findings among those of a file.")
@click.pass_context
def main(
    context: click.Context,
    what: str,
    quick: bool,
    seed: int,
    leagues: int | None,
    only: tuple[str, ...],
    jobs: int | None,
    into: Path | None,
) -> None:
    """Test the statistics on simulated leagues.

    Or print the "tables" of what is stored in docs/proof.json, or put them into docs/statistics.md ("docs").

    Each figure stands with its bound or standard error and with what is claimed of it. Exits with 1 if a
    claim does not hold.
    """
    if what != "run":
        stored = json.loads((into or STORED).read_text(encoding="utf-8"))
        if what == "tables":
            click.echo("\n\n".join(markdown(stored).values()))
        else:
            DOCUMENT.write_text(filled(DOCUMENT.read_text(encoding="utf-8"), stored), encoding="utf-8")
        return
    known: list[Any] = quick_studies() if quick else studies()
    chosen = [study for study in known if not only or study.name.startswith(only)]
    if not chosen:
        names = ", ".join(study.name for study in known)
        raise click.BadParameter(f"no study begins so: there are {names}", param_hint="--only")
    if leagues is not None:
        chosen = [replace(study, leagues=min(leagues, study.leagues)) for study in chosen]
    workers, broken = jobs or len(os.sched_getaffinity(0)), list[str]()
    with click.progressbar(length=sum(s.leagues for s in chosen), label="Simulating", file=sys.stderr) as bar:
        for study, figures in run_studies(chosen, seed, workers, bar.update):
            click.echo(text(study, figures))
            broken += [f"{study.name}.{key}" for key, found in figures.items() if not study.holds(key, found)]
            if into is not None:
                store(into, study, figures, seed)
    click.echo(f"Claims that do not hold: {', '.join(broken)}" if broken else "All claims hold.")
    context.exit(1 if broken else 0)


def text(study: Study, figures: Mapping[str, Figure]) -> str:
    """Return a study as text: a title and a line for each figure."""
    held = ", held out" if study.held_out else ""
    lines = [f"{study.name}: {study.title} ({study.leagues:,} leagues{held})"]
    for key, found in figures.items():
        shown = ", ".join(f"{name} {number:.4g}" for name, number in found.items())
        claim = "claimed: {:g} to {:g}".format(*study.claim(key)) if study.claim(key) != NOTHING else ""
        lines.append(
            f"  {key:34}{shown:32}{claim}{'' if study.holds(key, found) else ': DOES NOT HOLD'}".rstrip()
        )
    return "\n".join([*lines, ""])


def store(path: Path, study: Study, figures: Mapping[str, Figure], seed: int) -> None:
    """Put the findings of a study into a file in place of older ones, in the order of all studies."""
    stored = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    known = {"title": study.title, "leagues": study.leagues, "held_out": study.held_out}
    stored[study.name] = {**known, "seed": seed, "commit": commit(), "figures": figures}
    ordered = [each.name for each in studies() if each.name in stored]
    lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(stored[name])}" for name in ordered)
    path.write_text(f"{{\n{lines}\n}}\n", encoding="utf-8")


def commit() -> str:
    """Return the commit of the code that runs, with a mark if files have been changed since."""
    asked = ["git", "describe", "--always", "--dirty", "--abbrev=12", "--exclude=*"]
    found = subprocess.run(asked, cwd=Path(__file__).parent, capture_output=True, text=True, check=False)
    return found.stdout.strip() or "unknown"


if __name__ == "__main__":
    main()
