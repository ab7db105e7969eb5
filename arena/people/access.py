"""Who may look at a seat and play for it: the address that is opened once, and the cookie that it becomes.

The address of a seat ends with a token, behind a "#": browsers send that part to nobody, and it stays out of
logs. The page sends it once, and gets a cookie that no script can read. A token is good for one browser; a
newer one takes the seat over. Does no IO.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping
from hmac import compare_digest
from ipaddress import ip_address
from typing import Final
from urllib.parse import urlsplit

LOOPBACK: Final = "127.0.0.1"
_LOCAL_NAMES: Final = frozenset({LOOPBACK, "localhost"})


class Address:
    """Under which address the server is reached. `host`: what it listens on; `tls`: whether by https."""

    def __init__(self, host: str, port: int, *, tls: bool = False) -> None:
        self.host = host
        self.port = port
        self.scheme = "https" if tls else "http"

    @property
    def origin(self) -> str:
        """Return the beginning of all addresses."""
        return f"{self.scheme}://{f'[{self.host}]' if ':' in self.host else self.host}:{self.port}"

    def is_meant(self, headers: Mapping[str, str]) -> bool:
        """Return whether a request names this server, and not a name that somebody else made to point here.

        An address in numbers cannot be made to point elsewhere (DNS rebinding). Ports are not compared: one
        may be forwarded (ssh -L).
        """
        try:
            name = urlsplit(f"//{headers.get('host', '')}").hostname or ""
        except ValueError:
            return False
        return name in _LOCAL_NAMES or name == self.host.lower() or _is_address(name)

    def is_own_page(self, headers: Mapping[str, str]) -> bool:
        """Return whether a request that changes something comes from a page of this server."""
        return headers.get("origin", "") == f"{self.scheme}://{headers.get('host', '')}"


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


class Entrance:
    """The tokens and cookies of some seats. `secure`: cookies are for encrypted connections only."""

    def __init__(self, seats: Iterable[int], *, secure: bool = False) -> None:
        self._tokens = dict.fromkeys(seats, "")
        self._keys = dict.fromkeys(self._tokens, "")
        self._secure = secure
        # Cookies belong to a host, whatever the port. Another match there has other names.
        self._name = f"papayoo-{secrets.token_hex(6)}"

    def token(self, seat: int) -> str:
        """Return a new token for a seat. One that nobody has used yet is no longer good."""
        self._tokens[seat] = secrets.token_urlsafe(24)
        return self._tokens[seat]

    def enter(self, seat: int, token: str) -> str | None:
        """Change a token for a cookie: return the header that sets it, or None for a token that is not good.

        Whoever had the seat before has it no more.
        """
        known = self._tokens[seat]
        if not known or not compare_digest(known.encode(), token.encode()):
            return None
        self._tokens[seat] = ""
        self._keys[seat] = secrets.token_urlsafe(24)
        # A day, so that a browser that was closed still has it. Strict: no other site's page ever sends it.
        parts = [f"{self._name}={self._keys[seat]}", f"Path=/seat/{seat}/", "Max-Age=86400", "HttpOnly"]
        return "; ".join([*parts, "SameSite=Strict", *(["Secure"] if self._secure else [])])

    def may_act(self, seat: int, headers: Mapping[str, str]) -> bool:
        """Return whether a request has the cookie of a seat."""
        key = self._keys.get(seat, "")
        # Not http.cookies: that forgets all of them for one of another program that it does not understand.
        cookies = (part.strip().partition("=") for part in headers.get("cookie", "").split(";"))
        sent = [value for name, _, value in cookies if name == self._name]
        return bool(key) and any(compare_digest(key.encode(), value.encode()) for value in sent)
