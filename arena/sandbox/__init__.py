"""Bots kept apart from the machine and from each other: bubblewrap, limits and a filter of system calls."""

from arena.sandbox.failure import Failure as Failure
from arena.sandbox.probing import probe as probe
from arena.sandbox.sandbox import NONE as NONE
from arena.sandbox.sandbox import Launch as Launch
from arena.sandbox.sandbox import Level as Level
from arena.sandbox.sandbox import Limits as Limits
from arena.sandbox.sandbox import Sandbox as Sandbox
from arena.sandbox.sandbox import wrap as wrap
from arena.sandbox.view import find_program as find_program
from arena.sandbox.view import home as home
