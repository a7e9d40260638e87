"""Which channel a call uses: the newest, and the old one is closed when its last call has ended."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from setplan._settings import Settings
from setplan._tls import Content

C = TypeVar("C")

_log = logging.getLogger("setplan")


@dataclass
class Lease(Generic[C]):
    """A channel and how many calls are under way on it."""

    channel: C
    content: Content | None
    calls: int = 0
    retired: bool = False


class Channels(Generic[C]):
    """Makes a channel, and another one when the files of its certificates have changed. It does no I/O on the network."""

    def __init__(self, settings: Settings, make: Callable[[Content | None], C]) -> None:
        """Make the first channel. OSError names a file that cannot be read."""
        self._settings = settings
        self._make = make
        self._lock = threading.Lock()
        self._stamp = settings.tls.stamp() if settings.tls else None
        self._newest = self._lease(settings.tls.read() if settings.tls else None)

    def begin(self) -> tuple[Lease[C], C | None]:
        """Begin a call. The second value is a channel that nobody uses any more: close it."""
        with self._lock:
            unused = self._renew()
            self._newest.calls += 1
            return self._newest, unused

    def end(self, lease: Lease[C]) -> C | None:
        """End a call. Close the channel that comes back."""
        with self._lock:
            lease.calls -= 1
            return lease.channel if lease.retired and lease.calls == 0 else None

    def close(self) -> C:
        """Return the newest channel, to close it with all calls on it."""
        return self._newest.channel

    def _renew(self) -> C | None:
        tls = self._settings.tls
        if tls is None or tls.stamp() == self._stamp:
            return None
        stamp = tls.stamp()
        try:
            content = tls.read()
            if content == self._newest.content:
                self._stamp = stamp
                return None
            newest = self._lease(content)
        except OSError as error:
            _log.warning("the certificates were not read again: %s", error)
            return None
        old, self._newest, self._stamp = self._newest, newest, stamp
        old.retired = True
        return old.channel if old.calls == 0 else None

    def _lease(self, content: Content | None) -> Lease[C]:
        return Lease(self._make(content), content)
