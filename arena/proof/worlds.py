"""The leagues of which the questions are asked, and how many of each. Only choices, no work.

A new kind of trouble gets its world here. Those that are held out were chosen before anybody looked at a
result of theirs, and no number of the score may be chosen by them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from arena.proof.closed import Closed, Scenario
from arena.proof.excluded import Excluded
from arena.proof.gauntlets import Gauntlet
from arena.proof.opened import Lives, Opened
from arena.proof.stages import Staged
from arena.proof.study import Study
from arena.proof.world import Faults, Texture
from arena.schedule import LineUps

_FAULTS = {0: Faults(0.5, 40), 1: Faults(0.02, 320)}
"""Charges of two bots: one with a small fault in every second match, and one that is replaced for a whole
match now and then."""
_STRONG = Texture(board=0.0, luck=46.0)
"""Among strong bots no board suits one more than another, and chance is larger."""
_TAILS = (0.03, 6.0)
_LEAGUES = 1000


def studies() -> list[Study]:
    """Return all studies, which take some hours on two cores."""
    return [*_closed(), *_drifting(), *_held_out(), *_opened(), *_staged(), *_gauntlets(), *_excluded()]


def _equal(bots: int, seats: int = 4, **more: Any) -> Scenario:
    """Return equal bots: the world in which wrong orders are most likely. The last two are the same bot."""
    return Scenario(seats, (0.0,) * bots, twins=(bots - 2, bots - 1), **more)


def _steps(bots: int, gap: float, seats: int = 4, **more: Any) -> Scenario:
    """Return bots that are `gap` points apart, each from the next."""
    return Scenario(seats, tuple(gap * number for number in range(bots)), **more)


def _world(key: str, title: str, scenario: Scenario, *sizes: int, **more: Any) -> Closed:
    return Closed(f"closed.{key}", title, scenario, sizes or (30, 60, 120), **more)


def _closed() -> Iterator[Study]:
    few = (2, 4, 8, 16, 24)
    balanced: dict[str, Any] = {"line_ups": LineUps.BALANCED}
    yield _world("equal", "6 equal", _equal(6), *few, 30, 60, 120)
    for bots in (5, 8, 12):
        yield _world(f"equal-{bots}", f"{bots} equal", _equal(bots), leagues=500)
    yield _world("gaps-6", "6, gaps 6", _steps(6, 6.0))
    yield _world("gaps-10", "6, gaps 10", _steps(6, 10.0))
    yield _world("close", "6, gaps 1.5", Scenario(4, (-3.0, -1.5, 0.0, 0.0, 1.5, 3.0), twins=(2, 3)))
    yield _world("faults", "6 equal, charges", _equal(6, texture=Texture(faults=_FAULTS)))
    yield _world("line-up", "4, gaps 4", _steps(4, 4.0), *few, 30, 60, cycles=60)
    yield _world("seats-5", "7, gaps 4, 5 seats", _steps(7, 4.0, 5), 21, 42, 84, cycles=12)
    yield _world("seats-7", "9, gaps 3, 7 seats", _steps(9, 3.0, 7), 36, 72, cycles=8, leagues=500)
    yield _world("balanced", "12, gaps 3", _steps(12, 3.0, **balanced), 12, 24, 36, 60, 120)
    uneven = (-14.0, -12.0, -11.0, -8.0, -5.0, -4.0, 0.0, 4.0, 24.0, 26.0)
    trouble = Texture(wild={8: 1.6, 9: 2.0}, faults={2: Faults(0.5, 40), 9: Faults(0.05, 320)})
    lossy = Scenario(4, uneven, texture=trouble, line_ups=LineUps.BALANCED, lost=0.25)
    yield _world("uneven", "10, uneven, lossy", lossy)
    yield _world(
        "large", "24, gaps 1.5", _steps(24, 1.5, **balanced), 24, 48, 72, 120, cycles=10, leagues=300
    )
    yield _world("larger", "40, gaps 0.9", _steps(40, 0.9, **balanced), 40, 80, 160, cycles=4, leagues=300)
    wild = Texture(wild={4: 2.0, 5: 3.0})
    yield _world("wild", "6 equal, uneven luck", _equal(6, texture=wild))
    yield _world("tails", "6 equal, heavy tails", _equal(6, texture=Texture(tails=_TAILS)))
    yield _world("pairs", "6 equal, pairs", _equal(6, texture=Texture(duels=12.0)))
    pairs = _equal(10, texture=Texture(duels=12.0), **balanced)
    yield _world("pairs-10", "10 equal, pairs", pairs, leagues=500)
    joint = Texture(duels=0.6, passes=0.6, joint=4.1)
    yield _world("joint", "10 equal, thirds", _equal(10, texture=joint, **balanced))
    yield _world("strong", "6 equal, strong", _equal(6, texture=_STRONG), *few, 30, 60, 120)
    twice = ("sharp~5#1", "sharp~5#2", "sharp", "sharp~15", "sharp~30")
    real = Scenario(4, (-5.0, -5.0, -8.6, 3.2, 15.5), twice, twins=(0, 1))
    yield _world("played", "5, real rounds", real, 30, 60, cycles=12, leagues=200)
    ladder = ("sharp", "sharp~10", "sharp~25", "sharp~50", "low", "any")
    real = Scenario(4, (-41.7, -38.1, -31.1, -19.2, 59.9, 70.2), ladder)
    yield _world("played-6", "6, real rounds", real, cycles=8, leagues=200)


def _drifting() -> Iterator[Study]:
    sizes = (30, 60, 120, 300)
    loose: dict[str, Any] = {"steady": False}
    for points in (2.0, 4.0, 8.0):
        moody = _equal(6, texture=Texture(form=points))
        yield _world(f"form-{points:g}", f"6 equal, form {points:g}", moody, *sizes, **loose)
    for bots in (1, 2):
        some = (8.0,) * bots + (0.0,) * (6 - bots)
        of_some = _equal(6, texture=Texture(form=some))
        yield _world(f"form-of-{bots}", f"6 equal, form-of-{bots}", of_some, *sizes, **loose)
    ten = _equal(10, texture=Texture(form=4.0), line_ups=LineUps.BALANCED)
    yield _world("form-10", "10 equal, form 4", ten, leagues=500, **loose)
    lasting = _equal(6, texture=Texture(form=4.0, lasts=4))
    yield _world("lasts", "6 equal, lasting form", lasting, claims=False, **loose)


def _held_out() -> Iterator[Study]:
    out: dict[str, Any] = {"held_out": True, "leagues": 500}
    eight = _equal(10, 8, line_ups=LineUps.BALANCED)
    yield _world("seats-8", "10 equal, 8 seats", eight, 10, 30, 60, cycles=12, **out)
    three = _equal(12, 3, line_ups=LineUps.BALANCED)
    yield _world("seats-3", "12 equal, 3 seats", three, 24, 48, 96, **out)
    masters = replace(_STRONG, tails=_TAILS)
    apart = Scenario(4, (0.0, 0.0, 3.0, 6.0, 6.0, 9.0, 15.0, 21.0), texture=masters, twins=(0, 1))
    yield _world("masters", "8, strong, tails", apart, 70, 140, cycles=6, **out)
    bursts = {0: Faults(0.02, 320, 0.1), 1: Faults(0.05, 80, 0.25), 2: Faults(0.5, 40)}
    struck = _equal(6, texture=Texture(faults=bursts))
    yield _world("bursts", "6 equal, bursts", struck, steady=False, **out)
    moody = Texture(form=(3.0, 3.0, 3.0, 0.0, 0.0, 0.0, 0.0), wild={6: 2.0}, joint=3.0)
    mixed = Scenario(5, (0.0, 0.0, 0.0, 0.0, 4.0, 4.0, 8.0), texture=moody, lost=0.15, twins=(0, 1))
    yield _world("mixed", "7, mixed, 5 seats", mixed, 36, 72, 144, steady=False, **out)
    gone = {6: frozenset({0, 5})}
    yield _world("left", "10 equal, leaving", _equal(10, left=gone, line_ups=LineUps.BALANCED), **out)


def _opened() -> Iterator[Study]:
    kinds = (
        ("plain", "plain", Lives()),
        ("equal", "equal", Lives(deviation=0.0)),
        ("fresh", "new effects", Lives(fresh=True)),
        ("charged", "charges", Lives(charged=True)),
        ("form", "form 8", Lives(deviation=0.0, form=8.0)),
    )
    for key, title, lives in kinds:
        yield Opened(f"open.{key}", title, lives, 200)
    # Hardly an entry lives for more than two phases here. The ± is too wide then, so nothing is claimed.
    busy = Lives(comes=0.9, improves=0.3, leaves=0.12)
    yield Opened("open.busy", "busy", busy, 200, cycles=2, claims=False)


def _staged() -> Iterator[Study]:
    for bots, deviation in ((12, 4.0), (12, 8.0), (24, 4.0), (24, 8.0)):
        title = f"{bots}, sd {deviation:g}"
        yield Staged(f"stages.{bots}-{deviation:g}", title, bots, deviation, 500)
    joint = Texture(duels=0.6, passes=0.6, joint=4.1)
    yield Staged("stages.joint", "24, thirds", 24, 8.0, 200, joint)


def _gauntlets() -> Iterator[Study]:
    kinds = (("same", "the same bot", 0.0), ("margin", "margin better", 4.0))
    for key, title, truth in (*kinds, ("twice", "twice that", 8.0)):
        yield Gauntlet(f"gauntlet.{key}", title, truth, 4.0, _LEAGUES)
        yield Gauntlet(f"gauntlet.{key}-strong", f"{title}, strong", truth, 4.0, _LEAGUES, texture=_STRONG)
    charged = Texture(faults={0: _FAULTS[1]})
    title = "charges, 5 seats"
    yield Gauntlet("gauntlet.charged", title, 0.0, 4.0, _LEAGUES, 6, 5, texture=charged)
    tails = Texture(tails=_TAILS)
    yield Gauntlet("gauntlet.tails", "same, heavy tails", 0.0, 4.0, _LEAGUES, texture=tails)


def _excluded() -> Iterator[Study]:
    for percent in (3, 5, 10):
        title = f"24, in {percent} %"
        yield Excluded(f"excluded.{percent}", title, percent / 100, _LEAGUES)
    title = "whole sessions, 10 %"
    yield Excluded("excluded.clustered", title, 0.10, _LEAGUES, clustered=True)
    for percent, soon in ((100, 4), (50, 13)):
        title = f"broken, in {percent} %"
        yield Excluded(f"excluded.of-{percent}", title, percent / 100, 400, soon=soon)


_QUICK: dict[str, dict[str, Any]] = {
    "closed.equal": {"leagues": 100, "cycles": 5, "sizes": (8, 30, 60)},
    "closed.gaps-10": {"leagues": 20, "cycles": 8, "sizes": ()},
    "closed.form-8": {"leagues": 100, "cycles": 5, "sizes": (60,)},
    "closed.seats-3": {"leagues": 20, "cycles": 5, "sizes": (48,)},
    "closed.played": {"leagues": 8, "cycles": 3, "sizes": (15,)},
    "open.plain": {"leagues": 6, "phases": 4},
    "stages.12-8": {"leagues": 8},
    "gauntlet.same": {"leagues": 100},
    "gauntlet.twice": {"leagues": 100},
    "excluded.10": {"leagues": 100, "sessions": 60},
    "excluded.of-100": {"leagues": 100, "sessions": 60},
}


def quick_studies() -> list[Study]:
    """Return a few of them, small: under a minute on one core."""
    known: dict[str, Any] = {study.name: study for study in studies()}
    return [replace(known[name], **smaller) for name, smaller in _QUICK.items()]
