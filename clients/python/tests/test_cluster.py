"""The examples on a real control plane, judged by what the API server announces."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from clusters import Cluster, cluster
from servers import ROOT, planner

from setplan import kube
from setplan.rawjson import Raw

EXAMPLES = ROOT / "clients" / "python" / "examples"

SET = {
    "apiVersion": "apps/v1",
    "kind": "StatefulSet",
    "metadata": {"name": "web"},
    "spec": {
        "replicas": 3,
        "serviceName": "web",
        "selector": {"matchLabels": {"app": "web"}},
        "template": {
            "metadata": {"labels": {"app": "web"}},
            "spec": {"containers": [{"name": "nginx", "image": "registry.example/nginx:1"}]},
        },
        "volumeClaimTemplates": [
            {
                "metadata": {"name": "www"},
                "spec": {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}},
            }
        ],
    },
}


@pytest.fixture(scope="module")
def here() -> Iterator[Cluster]:
    with cluster() as one:
        yield one


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with planner() as one:
        yield one


class History:
    """What happened to pods: `+web-0` was made, `-web-0` was asked to end, `!web-0` was ready."""

    def __init__(self, api: kube.Api, namespace: str) -> None:
        self.told: list[str] = []
        self.images: dict[str, str] = {}
        self._ready: set[str] = set()
        self._api, self._path = api, kube.PODS.path(namespace)

    async def run(self) -> None:
        version = Raw(await self._api.get(self._path)).value["metadata"]["resourceVersion"]
        async for event in self._api.watch(self._path, version):
            kind, pod = event.value["type"], event.value["object"]
            uid, name = pod["metadata"].get("uid"), pod["metadata"].get("name")
            if kind == "ADDED":
                self.told.append(f"+{name}")
                self.images[name] = pod["spec"]["containers"][0]["image"]
            going = "deletionTimestamp" in pod["metadata"] or kind == "DELETED"
            if going and f"-{uid}" not in self._ready:
                self._ready.add(f"-{uid}")
                self.told.append(f"-{name}")
            conditions = pod.get("status", {}).get("conditions", [])
            if uid not in self._ready and any(c["type"] == "Ready" and c["status"] == "True" for c in conditions):
                self._ready.add(uid)
                self.told.append(f"!{name}")

    async def until(self, done: Callable[[], bool], what: str) -> None:
        """Wait for what ends what hangs, and measures nothing."""
        for _ in range(3000):
            if done():
                return
            await asyncio.sleep(0.02)
        raise AssertionError(f"{what}: {self.told}")


@contextmanager
def controller(here: Cluster, address: str, namespace: str, log: Path) -> Iterator[subprocess.Popen[bytes]]:
    command = [sys.executable, str(EXAMPLES / "controller.py"), "--kubeconfig", str(here.kubeconfig), "--namespace", namespace]
    with (
        log.open("ab") as out,
        subprocess.Popen([*command, "--planner-address", address, "--planner-insecure"], stdout=out, stderr=out) as process,
    ):
        try:
            yield process
        finally:
            process.kill()


def test_life(here: Cluster, address: str, tmp_path: Path) -> None:
    """A set is made, scaled, rolled and deleted, by the example of a controller with leader election."""
    asyncio.run(_life(here, address, tmp_path / "controller.log"))


async def _life(here: Cluster, address: str, log: Path) -> None:
    here.kubectl("create", "namespace", "life")
    async with await kube.connect(here.kubeconfig) as api, asyncio.TaskGroup() as tasks:
        history = History(api, "life")
        watch = tasks.create_task(history.run())
        await _lived(here, address, log, history)
        watch.cancel()


async def _lived(here: Cluster, address: str, log: Path, history: History) -> None:
    async def told(*story: str) -> None:
        wanted = " ".join(story).split()
        await history.until(lambda: len(history.told) >= len(wanted), f"{story} has not happened, see {log}")
        assert history.told == wanted
        history.told.clear()

    with controller(here, address, "life", log):
        here.kubectl("apply", "-n", "life", "-f", "-", given=json.dumps(SET))
        await told("+web-0 !web-0 +web-1 !web-1 +web-2 !web-2")
        here.kubectl("scale", "-n", "life", "statefulset/web", "--replicas", "4")
        await told("+web-3 !web-3")
        here.kubectl("scale", "-n", "life", "statefulset/web", "--replicas", "2")
        await told("-web-3 -web-2")
        here.kubectl("set", "image", "-n", "life", "statefulset/web", "nginx=registry.example/nginx:2")
        await told("-web-1 +web-1 !web-1 -web-0 +web-0 !web-0")
        assert {history.images["web-0"], history.images["web-1"]} == {"registry.example/nginx:2"}
        status = ["get", "-n", "life", "statefulset/web", "-o", "jsonpath={.status.readyReplicas} {.status.observedGeneration}"]
        await history.until(lambda: here.kubectl(*status) == "2 4", "the status")
        claims = here.kubectl("get", "-n", "life", "persistentvolumeclaims", "-o", "name").split()
        assert len(claims) == 4
        here.kubectl("delete", "-n", "life", "statefulset/web")
        await history.until(lambda: sorted(history.told) == ["-web-0", "-web-1"], "the garbage collector deletes the pods")
        assert here.kubectl("get", "-n", "life", "persistentvolumeclaims", "-o", "name").split() == claims


def test_the_next_one_gets_the_lease(here: Cluster, address: str, tmp_path: Path) -> None:
    """A second controller waits; when the first is killed, it goes on once the lease has expired."""
    asyncio.run(_next(here, address, tmp_path))


async def _next(here: Cluster, address: str, tmp_path: Path) -> None:
    here.kubectl("create", "namespace", "next")
    first, second = tmp_path / "first.log", tmp_path / "second.log"
    async with await kube.connect(here.kubeconfig) as api, asyncio.TaskGroup() as tasks:
        history = History(api, "next")
        watch = tasks.create_task(history.run())
        with controller(here, address, "next", first) as one:
            await history.until(lambda: "caches are filled" in _text(first), "the first has not begun")
            with controller(here, address, "next", second):
                one.kill()
                here.kubectl("apply", "-n", "next", "-f", "-", given=json.dumps(SET))
                await history.until(lambda: len(history.told) == 6, "the second does nothing")
        assert history.told == ["+web-0", "!web-0", "+web-1", "!web-1", "+web-2", "!web-2"]
        watch.cancel()


def _text(log: Path) -> str:
    return log.read_text()


def test_look(here: Cluster, address: str) -> None:
    """The example says why a paused set waits."""
    paused = SET | {"metadata": {"name": "web", "annotations": {"setplan.io/pause": "All"}}}
    here.kubectl("create", "namespace", "looked")
    here.kubectl("apply", "-n", "looked", "-f", "-", given=json.dumps(paused))
    command = [sys.executable, str(EXAMPLES / "look.py"), "looked", "web", address]
    environment = os.environ | {"KUBECONFIG": str(here.kubeconfig)}
    said = subprocess.run(command, env=environment, check=True, text=True, capture_output=True).stdout
    assert "setplan.io/pause" in said
    assert "SEVERITY_" in said


def test_numbers_keep_their_text(here: Cluster) -> None:
    """What the API server sends goes into a snapshot digit by digit."""

    async def read() -> str:
        async with await kube.connect(here.kubeconfig) as api:
            objects = await kube.read(api, "looked", "web")
        template = objects.set.get("spec", "template")
        return template.text if template else ""

    listed = Raw(here.kubectl("get", "--raw", "/apis/apps/v1/namespaces/looked/statefulsets/web")).get("spec", "template")
    assert listed
    assert asyncio.run(read()) == listed.text
