"""A channel with old certificates is closed when the last call on it has ended, and not before."""

from __future__ import annotations

import os
from pathlib import Path

from authority import Authority

from setplan import TLSFiles
from setplan._channels import Channels
from setplan._settings import settings


def test_the_old_channel_is_closed_once(tmp_path: Path) -> None:
    Authority("first").write(tmp_path, "planner")
    tls = TLSFiles(ca=tmp_path / "ca.crt")
    made: list[bytes | None] = []

    def make(content: tuple[bytes | None, bytes | None, bytes | None] | None) -> int:
        made.append(content[0] if content else None)
        return len(made)

    channels = Channels(settings("planner:1", tls, False, 1, 1, ""), make)
    first, _ = channels.begin()
    second, _ = channels.begin()
    os.utime(tmp_path / "ca.crt", ns=(0, 0))
    same, unused = channels.begin()
    assert (same.channel, unused) == (1, None)  # the file was touched and says the same

    Authority("second").write(tmp_path, "planner")
    newest, unused = channels.begin()
    assert (newest.channel, unused) == (2, None)
    assert [channels.end(lease) for lease in (first, second)] == [None, None]
    assert channels.end(same) == 1
    assert channels.end(newest) is None
    Authority("third").write(tmp_path, "planner")
    assert channels.begin()[1] == 2  # nobody was on it
    assert channels.close() == 3
