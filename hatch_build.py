"""Compiles the referee's hot path where that is asked for. Run by `pip install .`.

The hot path is compiled with mypyc while a wheel is built, where ARENA_COMPILE=1 asks for it. The compiled
modules are the same files, and do the same in half of the time. A plain installation does not compile them:
it takes a minute less, and a league of Python bots does not notice the difference. An editable installation
never does, so that a changed file takes effect. Where compiling them was asked for and is not possible, the
installation ends and says why: nobody should find out from a slow night that the compiler was missing.
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from itertools import chain
from pathlib import Path
from typing import Any, Final, NoReturn

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

_ASKED: Final = "ARENA_COMPILE"
"""The environment variable that asks for compiling. Empty and "0" do not."""
_NEEDED: Final = ["mypy[mypyc]>=1.15"]
"""The packages that compiling needs."""
_LINES: Final = 3
"""The most lines of the compiler's output that are shown when it fails."""
# A decision goes through more code than the processor's first cache holds, so it is made to lie close
# together: what only an exception reaches lies apart, and calls take no detour through tables.
_COMPILED_CLOSE = ["-fno-plt", "-fno-semantic-interposition"]
_UNLIKELY = """
#include <Python.h>
void CPy_AddTraceback(const char *, const char *, int, PyObject *) __attribute__((cold));
void CPy_TypeError(const char *, PyObject *) __attribute__((cold));
void CPyError_OutOfMemory(void) __attribute__((cold));
"""


class CompiledHook(BuildHookInterface[Any]):
    """Puts the modules of the hook's `libraries` in pyproject.toml beside their sources, into the wheel.

    Every library has its place in a package, because a sandbox shows nothing above packages.
    """

    def dependencies(self) -> list[str]:
        """Return the packages needed to build.

        They are a large download, so they are asked for only where needed.
        """
        return _NEEDED if _wanted() and _why_not() is None else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile, and put the results into the wheel."""
        if version != "editable" and _wanted():
            self._add_libraries(build_data)

    def _add_libraries(self, build_data: dict[str, Any]) -> None:
        if (why := _why_not()) is not None:
            self._give_up(why)
        self._folder = tempfile.TemporaryDirectory(prefix="arena-compiled-")
        made = Path(self._folder.name)
        argv = [sys.executable, __file__, str(made), json.dumps(self.config["libraries"])]
        for how in ("close", "plain"):  # not every compiler and linker knows the options of the first
            done = subprocess.run(
                [*argv, how], cwd=self.root, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False
            )
            if done.returncode == 0:
                break
        else:
            lines = done.stdout.decode(errors="replace").splitlines()
            self._give_up("\n".join([line for line in lines if "error" in line][:_LINES] or lines[-_LINES:]))
        libraries = [path for path in (made / "lib").rglob("*") if path.is_file()]
        build_data["force_include"].update({str(p): str(p.relative_to(made / "lib")) for p in libraries})
        build_data["pure_python"] = False
        build_data["infer_tag"] = True

    def _give_up(self, why: str) -> NoReturn:
        self.app.abort(
            f"{_ASKED} asks for a compiled referee, and it cannot be compiled here: {why}\n"
            f"Without {_ASKED} the same files are interpreted; docs/speed.md says what that costs."
        )
        raise AssertionError("abort has ended the process")

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove the compilation's temporary folder once the wheel is written."""
        if hasattr(self, "_folder"):
            self._folder.cleanup()


def _wanted() -> bool:
    return os.environ.get(_ASKED, "0") not in ("", "0")


def _why_not() -> str | None:
    """Return what is missing for compiling, or None."""
    if sys.implementation.name != "cpython":
        return f"it takes CPython, and this is {sys.implementation.name}"
    compiler = _compiler()[0]
    if not shutil.which(compiler):
        return f"there is no C compiler ({compiler}); on Debian: apt install gcc libc6-dev"
    header = Path(sysconfig.get_path("include"), "Python.h")
    return None if header.is_file() else f"there is no {header}; on Debian: apt install python3-dev"


def _compiler() -> list[str]:
    return shlex.split(os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc")


def _compile(made: Path, libraries: dict[str, list[str]], *, close: bool) -> None:
    """Compile these files to `made`/lib. It runs in a process of its own, because mypyc ends it on failure.

    `close`: with options that not every compiler and linker knows.
    """
    from mypyc.build import mypycify
    from setuptools import setup

    options = ["--config-file=", "--ignore-missing-imports", "--follow-imports=silent"]
    extensions = mypycify(
        [*options, *chain(*libraries.values())],
        opt_level="2",
        debug_level="0",
        separate=[(modules, library) for library, modules in _largest_first(libraries)],
        target_dir=str(made / "c"),
    )
    if close:
        unlikely = made / "unlikely.h"
        unlikely.write_text(_UNLIKELY)
        for extension in extensions:  # which share their lists
            flags = ["-include", str(unlikely), *_COMPILED_CLOSE]
            extension.extra_compile_args = [*extension.extra_compile_args, *flags]
            extension.extra_link_args = [*extension.extra_link_args, "-Wl,-Bsymbolic"]
    at_once = f"--parallel={len(os.sched_getaffinity(0))}"
    built = ["build_ext", at_once, f"--build-lib={made / 'lib'}", f"--build-temp={made / 'temp'}"]
    setup(name="compiled", packages=[], ext_modules=extensions, script_args=["--quiet", *built])


def _largest_first(libraries: dict[str, list[str]]) -> list[tuple[str, list[str]]]:
    """Return the libraries, the largest first."""
    # One library is half of the work: if it were begun last, everything else would wait for it alone.
    size = {library: sum(Path(m).stat().st_size for m in modules) for library, modules in libraries.items()}
    return sorted(libraries.items(), key=lambda each: -size[each[0]])


if __name__ == "__main__":
    _compile(Path(sys.argv[1]), json.loads(sys.argv[2]), close=sys.argv[3] == "close")
