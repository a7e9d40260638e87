"""Real planners on loopback, for tests."""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[3]
PROGRAM = Path(os.environ.get("SETPLAN_SERVER", ROOT / "bin" / "setplan-server"))
LISTENING = re.compile(r"msg=listening addr=(\S+)")


@contextmanager
def planner(*flags: str, address: str = "127.0.0.1:0") -> Iterator[str]:
    """Run a planner, by default on a free port, and give its address."""
    command = [str(PROGRAM), "--listen-address", address, *flags]
    with tempfile.TemporaryFile() as log, subprocess.Popen(command, stderr=log, stdout=subprocess.DEVNULL) as process:
        try:
            yield _address(process, log.fileno())
        finally:
            process.kill()


def _address(process: subprocess.Popen[bytes], log: int) -> str:
    """Wait for the line that says where the program listens."""
    while True:
        ended = process.poll()
        text = os.pread(log, 1 << 20, 0).decode()
        if found := LISTENING.search(text):
            return found.group(1)
        if ended is not None:
            raise RuntimeError(f"the server ended:\n{text}")
        time.sleep(0.01)
