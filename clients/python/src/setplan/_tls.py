"""The files of a protected connection, which are read again when they change."""

from __future__ import annotations

import ssl
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import grpc

Content: TypeAlias = tuple[bytes | None, bytes | None, bytes | None]
"""What the files hold: authorities, key, certificate."""


@dataclass(frozen=True)
class TLSFiles:
    """PEM files for TLS, and for mutual TLS with a certificate of the client's own.

    They are looked at before each call. When one has changed, calls that begin from then on use a new connection, and those under
    way end on the old one: a rotated certificate needs no restart.
    """

    ca: str | Path | None = None
    """The authorities for the server's certificate; None for gRPC's own list."""
    certificate: str | Path | None = None
    """The client's certificate, for a server that asks for one. Both or neither with `key`."""
    key: str | Path | None = None
    """The key of the client's certificate."""

    def __post_init__(self) -> None:
        if (self.certificate is None) != (self.key is None):
            raise ValueError("a client certificate needs both a certificate file and a key file")

    def read(self) -> Content:
        """Read the files. OSError names one that cannot be read or used, for example in the middle of a replacement."""
        content = _read(self.ca), _read(self.key), _read(self.certificate)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        if self.ca is not None:
            context.load_verify_locations(self.ca)
        if self.certificate is not None and self.key is not None:
            context.load_cert_chain(self.certificate, self.key)
        return content

    def stamp(self) -> tuple[object, ...]:
        """Say which versions of the files are there: a change of a file changes it, a symbolic link that moves on included."""
        return tuple(_stamp(file) for file in (self.ca, self.key, self.certificate))


def credentials(content: Content) -> grpc.ChannelCredentials:
    """Make gRPC's credentials."""
    ca, key, certificate = content
    return grpc.ssl_channel_credentials(root_certificates=ca, private_key=key, certificate_chain=certificate)


def _read(file: str | Path | None) -> bytes | None:
    return None if file is None else Path(file).read_bytes()


def _stamp(file: str | Path | None) -> object:
    if file is None:
        return None
    try:
        status = Path(file).stat()
    except OSError:
        return "missing"  # while it is replaced; the connection that is there goes on
    return status.st_mtime_ns, status.st_ino, status.st_size
