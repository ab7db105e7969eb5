"""Bots kept apart from the machine and from each other: bubblewrap, limits and a filter of system calls."""

from arena.sandbox.failure import Failure
from arena.sandbox.probing import probe
from arena.sandbox.sandbox import NONE, Launch, Level, Limits, Sandbox, wrap
from arena.sandbox.view import find_program, home

__all__ = [
    "NONE",
    "Failure",
    "Launch",
    "Level",
    "Limits",
    "Sandbox",
    "find_program",
    "home",
    "probe",
    "wrap",
]
