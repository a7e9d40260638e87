"""An operator: it writes each Database's image to its StatefulSet, unless more than one member would be down at once."""

from __future__ import annotations

import json
import subprocess
import time
from typing import Any, Protocol

from setplan import Planner, plan_request
from setplan.v1 import ForecastRequest, ForecastVerdict


class Cluster(Protocol):
    def objects(self) -> bytes: ...
    def set_image(self, name: str, image: str, *, dry_run: bool) -> bytes: ...


def upgrade(name: str, image: str, cluster: Cluster, planner: Planner) -> str:
    """Write the image to a database's set if that is safe, and say what was decided."""
    edited = cluster.set_image(name, image, dry_run=True)
    request = plan_request([cluster.objects()], name, complete=["pods", "claims", "revisions"], edited_set=edited)
    forecast = planner.forecast(ForecastRequest(start=request))
    if forecast.verdict != ForecastVerdict.FORECAST_VERDICT_CONVERGED:
        return f"{name} not upgraded: {' '.join(block.message for block in forecast.blocks)}"
    if forecast.peak_unavailable > 1:
        return f"{name} not upgraded: {forecast.peak_unavailable} members would be down at once"
    cluster.set_image(name, image, dry_run=False)
    return f"{name} restarts {len(forecast.restarts)} members, one at a time"


class Kubectl:
    """The namespace of kubectl's context."""

    def databases(self) -> list[Any]:
        items: list[Any] = json.loads(self._run("get", "databases"))["items"]
        return items

    def objects(self) -> bytes:
        return self._run("get", "sts,pods,pvc,controllerrevisions")

    def set_image(self, name: str, image: str, *, dry_run: bool) -> bytes:
        return self._run("set", "image", f"sts/{name}", f"database={image}", f"--dry-run={'server' if dry_run else 'none'}")

    def _run(self, *arguments: str) -> bytes:
        return subprocess.run(["kubectl", *arguments, "-o", "json"], check=True, capture_output=True).stdout


if __name__ == "__main__":
    cluster = Kubectl()
    with Planner.local("setplan.wasm") as planner:
        while True:
            for database in cluster.databases():
                print(upgrade(database["metadata"]["name"], database["spec"]["image"], cluster, planner))
            time.sleep(30)
