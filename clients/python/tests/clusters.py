"""A real control plane on this machine, without containers: bin/setplan-local, which `make build-local` builds."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from servers import ROOT

BIN = ROOT / "bin"


@dataclass(frozen=True)
class Cluster:
    kubeconfig: Path

    def kubectl(self, *arguments: str, given: str | None = None) -> str:
        """Run kubectl, and return what it prints."""
        command = [str(BIN / "kubectl"), "--kubeconfig", str(self.kubeconfig), *arguments]
        return subprocess.run(command, input=given, text=True, check=True, capture_output=True).stdout


@contextmanager
def cluster() -> Iterator[Cluster]:
    """Start a control plane whose built-in StatefulSet controller is off."""
    name = f"python-{os.getpid()}"

    def local(*arguments: str) -> str:
        command = [str(BIN / "setplan-local"), *arguments, "--name", name]
        return subprocess.run(command, check=True, text=True, capture_output=True).stdout

    kubeconfig = local("up", "--statefulset-controller", "off").split()[-1]
    try:
        yield Cluster(Path(kubeconfig))
    finally:
        local("down")
