"""The address of a cluster and the certificate for it: what can be asked for. Connects to nobody."""

from __future__ import annotations

import ipaddress
import ssl
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from arena.errors import UsageError

CERTIFICATE, KEY = "cert.pem", "key.pem"
"""The files in the folder of the certificate."""


@dataclass(frozen=True, slots=True)
class OnCluster:
    """The cluster that a run is played on.

    `address`: the scheduler's. `tls`: the folder of the certificate, or None. `patience`: the seconds for
    which a cluster that is gone is waited for.
    """

    address: str
    tls: Path | None = None
    patience: float = 300.0

    @property
    def is_local(self) -> bool:
        """Return whether the scheduler listens on this machine alone, as far as its address tells."""
        host = urlsplit(self.address).hostname or ""
        try:
            return ipaddress.ip_address(host).is_loopback
        except ValueError:
            return host == "localhost"


def check_address(on: OnCluster) -> None:
    """Check an address and the certificate for it, and connect to nobody. Raises UsageError."""
    try:
        parts = urlsplit(on.address)
        complete = parts.scheme in ("tls", "tcp") and parts.hostname and parts.port
    except ValueError:
        complete = False
    if not complete:
        raise UsageError(f"{on.address}: expected a scheduler's address, such as tls://scheduler:8786")
    if parts.scheme == "tls":
        if on.tls is None:
            raise UsageError(
                f'{on.address}: a certificate is needed: [cluster] tls = "certificates" in the league file '
                "names its folder, and python -m arena.cluster certificates makes it (docs/cluster.md)"
            )
        if wrong := _wrong_with(on.tls):
            raise UsageError(f"{on.address}: {wrong}")
    elif not on.is_local:
        raise UsageError(
            f"{on.address}: a cluster beyond this machine needs TLS (tls://): without it whoever reaches its "
            "ports controls its machines"
        )


def _wrong_with(tls: Path) -> str:
    """Return why this certificate cannot be used, or ""."""
    for file in (tls / CERTIFICATE, tls / KEY):
        try:
            with file.open("rb"):
                pass
        except OSError as error:
            return f"{file}: {error.strerror} (python -m arena.cluster certificates makes the folder)"
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    try:
        context.load_verify_locations(tls / CERTIFICATE)
        context.load_cert_chain(tls / CERTIFICATE, tls / KEY, password="")  # never asked for on the terminal
    except ssl.SSLError:
        return f"{tls}: expected a certificate and its key without a passphrase, in PEM"
    return ""
