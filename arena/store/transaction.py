"""How functions of the store get their transaction: from the caller, or one of their own.

A function that is marked with `reads` or `writes` takes a transaction first (`db`), which is a session of
SQLAlchemy, and returns plain data. Whoever has only the database gives that: then the function is a
transaction by itself, and is called again when the server was lost and is back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from functools import wraps
from typing import Any, Concatenate, ParamSpec, Protocol, TypeAlias, TypeVar

from sqlalchemy import CursorResult, Delete, Update, insert
from sqlalchemy.orm import Session

from arena.errors import ServerGone
from arena.store.columns import Row

__all__ = ["Source", "Transaction", "add_rows", "changed", "reads", "reads_on", "writes"]

Transaction = Session
"""A transaction, in which all statements see one state. Not to be mixed up with the sessions of a league."""

_Given = ParamSpec("_Given")
_Result = TypeVar("_Result")


class _Opens(Protocol):
    """What a `Database` has."""

    def reading(self) -> AbstractContextManager[Transaction]: ...
    def writing(self) -> AbstractContextManager[Transaction]: ...
    def wait_until_back(self, gone: ServerGone) -> None: ...


Source: TypeAlias = _Opens | Transaction
"""A database, or a transaction in it."""
_Inside: TypeAlias = Callable[Concatenate[Transaction, _Given], _Result]
_Outside: TypeAlias = Callable[Concatenate[Source, _Given], _Result]


def add_rows(db: Transaction, model: type[Row], rows: Sequence[Mapping[str, Any]]) -> None:
    """Add rows to a table, if there are any. They all set the same columns, and get no ids back."""
    if rows:
        # By the connection: the session itself would look at each row first, 40 us for a match.
        db.connection().execute(insert(model), rows)


def changed(db: Transaction, statement: Update | Delete) -> int:
    """Execute a statement that changes or deletes rows, and return how many."""
    result = db.execute(statement, execution_options={"synchronize_session": False})
    assert isinstance(result, CursorResult), "it is no statement that reads"
    return result.rowcount


def reads(function: _Inside[_Given, _Result]) -> _Outside[_Given, _Result]:
    """Let a function that reads be called with a database as well."""
    return _in_transaction(function, lambda database: database.reading())


def writes(function: _Inside[_Given, _Result]) -> _Outside[_Given, _Result]:
    """Let a function that writes be called with a database as well: it is kept as a whole, or not at all."""
    return _in_transaction(function, lambda database: database.writing())


def _in_transaction(
    function: _Inside[_Given, _Result], begun: Callable[[_Opens], AbstractContextManager[Transaction]]
) -> _Outside[_Given, _Result]:
    @wraps(function)
    def called(source: Source, /, *given: _Given.args, **named: _Given.kwargs) -> _Result:
        if isinstance(source, Transaction):
            return function(source, *given, **named)
        while True:
            try:
                with begun(source) as db:
                    return function(db, *given, **named)
            except ServerGone as gone:
                source.wait_until_back(gone)

    return called


def reads_on(
    function: _Inside[_Given, Iterator[_Result]],
) -> _Outside[_Given, Iterator[_Result]]:
    """Let a function that yields what it reads be called with a database as well.

    All comes from one state of it, also while a run writes. A server that is lost ends it.
    """

    @wraps(function)
    def called(source: Source, /, *given: _Given.args, **named: _Given.kwargs) -> Iterator[_Result]:
        if isinstance(source, Transaction):
            yield from function(source, *given, **named)
            return
        with source.reading() as db:
            yield from function(db, *given, **named)

    return called
