"""The parts of `setplan.kube` that need no cluster."""

from __future__ import annotations

import asyncio
import json

import pytest

from setplan import kube
from setplan.adapter import Gone, Key, Result
from setplan.rawjson import Raw
from setplan.snapshot import items
from setplan.v1.plan_pb2 import Action, EvictPod, ResizePod, UpdatePod
from setplan.v1.snapshot_pb2 import OutcomeResult

KEY = Key("default", "web")


class Unasked(kube.Api):
    def __init__(self) -> None: ...


def stored(time: str = "1", manager: str = "kube-controller-manager", subresource: str = "status", **metadata: object) -> Raw:
    fields = [{"manager": manager, "subresource": subresource, "time": time}]
    return Raw(json.dumps({"metadata": {"uid": "set", "managedFields": fields} | metadata}))


def test_guard_takes_what_was_there_for_history() -> None:
    guard = kube.Guard()
    guard.check(KEY, stored("1"))
    guard.check(KEY, stored("1"))
    with pytest.raises(kube.ForeignWriter, match="kube-controller-manager"):
        guard.check(KEY, stored("2"))
    with pytest.raises(kube.ForeignWriter):
        guard.check(KEY, stored("2"))
    guard.check(KEY, stored("2", annotations={"setplan.io/taken-over-at": "now"}))
    guard.check(KEY, stored("3", uid="another"))


@pytest.mark.parametrize(
    "later", [stored("2", manager="kubectl"), stored("2", subresource="scale")], ids=["a person", "another subresource"]
)
def test_guard_looks_at_controllers_only(later: Raw) -> None:
    guard = kube.Guard()
    guard.check(KEY, stored("1"))
    guard.check(KEY, later)


def test_guard_forgets_a_set_that_is_gone() -> None:
    source = kube.Source(Unasked(), None, lambda *_: None)
    source.caches["StatefulSet"]._objects["default"] = {"web": Raw(json.dumps({"metadata": {"uid": "set"}}))}
    with pytest.raises(ValueError, match="not what an API server sends"):
        source.snapshot(KEY)
    assert list(source._guard._seen) == [KEY]
    source.caches["StatefulSet"]._objects.clear()
    with pytest.raises(Gone):
        source.snapshot(KEY)
    assert not source._guard._seen


@pytest.mark.parametrize("after", [0, -5])
def test_queue_does_not_ask_again_without_a_wait(after: float) -> None:
    told = 0

    async def work(_key: Key) -> float:
        nonlocal told
        told += 1
        return after

    async def run() -> None:
        queue = kube.Queue(work)
        task = asyncio.create_task(queue.run())
        await asyncio.sleep(0)
        queue.add(KEY)
        await asyncio.sleep(0.05)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    asyncio.run(run())
    assert told == 1


@pytest.mark.parametrize("name", ["..", "a/b", "%2e%2e", "."])
def test_a_name_is_one_segment(name: str) -> None:
    with pytest.raises(ValueError, match="segment"):
        kube.PODS.path("default", name)


def test_items_know_their_kind() -> None:
    listed = '{"apiVersion":"apps/v1","kind":"StatefulSetList","items":[{"metadata":{"name":"web"},"n":1.0}]}'
    assert [item.text for item in items(listed)] == [
        '{"apiVersion":"apps/v1","kind":"StatefulSet","metadata":{"name":"web"},"n":1.0}'
    ]


def test_queue() -> None:
    """A key is worked on once at a time, again when it was added meanwhile, and later after a failure."""
    told: list[str] = []
    running: set[Key] = set()

    async def work(key: Key) -> float:
        assert key not in running
        running.add(key)
        told.append(key.name)
        if told.count(key.name) == 1:
            queue.add(key)
        await asyncio.sleep(0)
        running.discard(key)
        if key.name == "fails" and told.count("fails") < 3:
            raise ValueError("no")
        if told.count("fails") == 3 and told.count("web") == 2:
            done.set()
        return 3600  # and at once where it has changed meanwhile

    async def run() -> None:
        task = asyncio.create_task(queue.run())
        await asyncio.sleep(0)
        for name in ("web", "fails"):
            queue.add(Key("default", name))
        await done.wait()
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    queue, done = kube.Queue(work), asyncio.Event()
    asyncio.run(asyncio.wait_for(run(), 60))
    assert told.count("web") == 2
    assert told.count("fails") == 3


@pytest.mark.parametrize(
    ("status", "answer", "outcome"),
    [
        (
            429,
            {"message": "Cannot evict pod.", "details": {"causes": [{"reason": "DisruptionBudget", "message": "guard needs 2"}]}},
            OutcomeResult.OUTCOME_RESULT_DISRUPTION_BUDGET,
        ),
        (429, {"message": "too many requests"}, OutcomeResult.OUTCOME_RESULT_ERROR),
        (500, {"message": "This pod has more than one PodDisruptionBudget."}, OutcomeResult.OUTCOME_RESULT_REJECTED),
        (500, {"message": "etcd"}, OutcomeResult.OUTCOME_RESULT_ERROR),
        (404, {"reason": "NotFound"}, OutcomeResult.OUTCOME_RESULT_UNSPECIFIED),
        (409, {"reason": "Conflict"}, OutcomeResult.OUTCOME_RESULT_CONFLICT),
    ],
)
def test_an_eviction_is_sent_once(status: int, answer: dict[str, object], outcome: OutcomeResult) -> None:
    sent: list[tuple[str, str, object]] = []

    class Refuses(kube.Api):
        def __init__(self) -> None: ...

        async def send(self, method: str, path: str, body: bytes, content_type: str = "", **parameters: str) -> Raw:
            sent.append((method, path, json.loads(body)))
            raise kube.ApiError(status, json.dumps({"kind": "Status"} | answer).encode())

    action = Action(evict_pod=EvictPod())
    action.target.kind, action.target.name = "Pod", "web-0"
    action.precondition.uid = "u"
    result = asyncio.run(kube.Executor(Refuses(), lambda *_: None).apply(KEY, action))
    assert result.outcome == outcome
    assert "guard" in str(result.error) or outcome != OutcomeResult.OUTCOME_RESULT_DISRUPTION_BUDGET
    eviction = {
        "apiVersion": "policy/v1",
        "kind": "Eviction",
        "metadata": {"name": "web-0"},
        "deleteOptions": {"preconditions": {"uid": "u"}},
    }
    assert sent == [("POST", "/api/v1/namespaces/default/pods/web-0/eviction", eviction)]


class Takes(kube.Api):
    """Takes every write, or refuses it."""

    def __init__(self, refusal: kube.ApiError | None = None) -> None:
        self.sent: list[tuple[str, str, object, str]] = []
        self._refusal = refusal

    async def send(self, method: str, path: str, body: bytes, content_type: str = "", **parameters: str) -> Raw:
        self.sent.append((method, path, json.loads(body), content_type))
        if self._refusal is not None:
            raise self._refusal
        return Raw(b'{"metadata":{"name":"web-0","uid":"u","resourceVersion":"8"}}')

    def apply(self, action: Action) -> Result:
        action.target.kind, action.target.name = "Pod", "web-0"
        action.precondition.uid, action.precondition.resource_version = "u", "7"
        return asyncio.run(kube.Executor(self, lambda *_: None).apply(KEY, action))


def test_images_go_in_one_patch() -> None:
    update = UpdatePod(labels={"a": "b"}, remove_labels=["c"], annotations={"d": "{}"})
    update.containers.add(name="web", image="web:2")
    update.containers.add(name="logs", image="logs:1")
    update.init_containers.add(name="proxy", image="proxy:2")
    api = Takes()
    assert api.apply(Action(update_pod=update)).error is None
    patch = {
        "metadata": {"uid": "u", "resourceVersion": "7", "labels": {"a": "b", "c": None}, "annotations": {"d": "{}"}},
        "spec": {
            "$setElementOrder/containers": [{"name": "web"}, {"name": "logs"}],
            "containers": [{"name": "web", "image": "web:2"}, {"name": "logs", "image": "logs:1"}],
            "$setElementOrder/initContainers": [{"name": "proxy"}],
            "initContainers": [{"name": "proxy", "image": "proxy:2"}],
        },
    }
    assert api.sent == [("PATCH", "/api/v1/namespaces/default/pods/web-0", patch, "application/strategic-merge-patch+json")]


def resize() -> Action:
    of = ResizePod()
    of.containers.add(name="logs")
    of.containers.add(name="web", requests={"cpu": "1"}, limits={"cpu": "2", "memory": "1Gi"})
    of.init_containers.add(name="first")
    of.init_containers.add(name="proxy", requests={"memory": "1Gi"})
    return Action(resize_pod=of)


def test_a_resize_names_what_changes_and_the_order_of_all() -> None:
    api = Takes()
    assert api.apply(resize()).error is None
    resources = {"requests": {"cpu": "1"}, "limits": {"cpu": "2", "memory": "1Gi"}}
    patch = {
        "metadata": {"uid": "u", "resourceVersion": "7"},
        "spec": {
            "$setElementOrder/containers": [{"name": "logs"}, {"name": "web"}],
            "containers": [{"name": "web", "resources": resources}],
            "$setElementOrder/initContainers": [{"name": "first"}, {"name": "proxy"}],
            "initContainers": [{"name": "proxy", "resources": {"requests": {"memory": "1Gi"}}}],
        },
    }
    path = "/api/v1/namespaces/default/pods/web-0/resize"
    assert api.sent == [("PATCH", path, patch, "application/strategic-merge-patch+json")]


def test_a_list_in_which_nothing_changes_is_not_sent() -> None:
    api, action = Takes(), resize()
    del action.resize_pod.init_containers[1]
    api.apply(action)
    ((_, _, patch, _),) = api.sent
    assert isinstance(patch, dict)
    assert sorted(patch["spec"]) == ["$setElementOrder/containers", "containers"]


@pytest.mark.parametrize(
    ("status", "body", "outcome"),
    [
        (404, b'{"kind":"Status","reason":"NotFound"}', OutcomeResult.OUTCOME_RESULT_CONFLICT),
        (404, b"404 page not found", OutcomeResult.OUTCOME_RESULT_REJECTED),
        (403, b'{"kind":"Status","reason":"Forbidden","message":"quota"}', OutcomeResult.OUTCOME_RESULT_REJECTED),
        (422, b'{"kind":"Status","reason":"Invalid"}', OutcomeResult.OUTCOME_RESULT_REJECTED),
        (409, b'{"kind":"Status","reason":"Conflict"}', OutcomeResult.OUTCOME_RESULT_CONFLICT),
    ],
    ids=["the pod is gone", "an API server that has no resize", "quota", "another class of service", "another version"],
)
def test_a_resize_that_is_refused(status: int, body: bytes, outcome: OutcomeResult) -> None:
    assert Takes(kube.ApiError(status, body)).apply(resize()).outcome == outcome
