"""A StatefulSet controller: it watches sets, asks a planner, and carries out the plans. `--help` lists its flags."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import logging
import platform
import signal

from setplan import TLSFiles, aio, kube
from setplan.adapter import Key, Loop, Observer, Result
from setplan.adapter.operations import operation_of
from setplan.rawjson import Raw
from setplan.snapshot import ordinal_of
from setplan.v1 import Action, Plan, Severity, Snapshot

log = logging.getLogger("controller")


def flags() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kubeconfig", help="the cluster; without it $KUBECONFIG, or the pod's service account")
    parser.add_argument("--namespace", help="run the sets of this namespace only")
    parser.add_argument("--planner-address", required=True)
    parser.add_argument("--planner-ca-file", help="PEM file with the authorities for the planner's certificate")
    parser.add_argument("--planner-cert-file", help="PEM file with this adapter's certificate")
    parser.add_argument("--planner-key-file", help="PEM file with its key")
    parser.add_argument("--planner-insecure", action="store_true", help="without TLS, for a planner on the same machine")
    parser.add_argument("--leader-elect", choices=["true", "false"], default="true", help="act only while holding a lease")
    return parser.parse_args()


class Told(Observer):
    """Logs what happens, and raises events for what people should see."""

    def __init__(self, events: kube.Events) -> None:
        self._events = events
        self._blocks: dict[Key, set[str]] = {}

    def planned(self, key: Key, snapshot: Snapshot, plan: Plan) -> None:
        """Raise an event when a block appears that somebody has to act on."""
        del snapshot
        blocks = {f"{b.message} {b.remedy}" for b in plan.blocks if b.severity == Severity.SEVERITY_ATTENTION}
        for message in sorted(blocks - self._blocks.get(key, set())):
            self._events.warn(key, "Blocked", message)
        self._blocks[key] = blocks

    def applied(self, key: Key, action: Action, result: Result) -> None:
        """Log each write."""
        what = f"{operation_of(action)} {action.target.name}"
        log.info('msg="%s" set=%s error="%s"', what, key, result.error or "")
        if result.error is not None:
            self._events.warn(key, "FailedAction", f"{what}: {result.error}")

    def held(self, key: Key, reason: str, error: Exception) -> None:
        """Log why nothing is done, and raise an event for a plan that is refused."""
        log.info('msg="held: %s" set=%s error="%s"', reason, key, error)
        if reason == "verification":
            self._events.warn(key, "PlanRefused", str(error))

    def forgotten(self, key: Key) -> None:
        """Drop what is kept."""
        self._blocks.pop(key, None)


async def control(api: kube.Api, planner: aio.Client, namespace: str | None) -> None:
    """Run the sets until cancelled."""

    def changed(kind: str, thing: Raw) -> None:
        """Ask for a pass over the sets that an object may concern."""
        meta = thing.value["metadata"]
        names = {owner["name"] for owner in meta.get("ownerReferences") or []}
        if kind == kube.SETS.kind:
            names = {meta["name"]}
        elif kind == kube.CLAIMS.kind:
            base = (ordinal_of(meta["name"]) or ("", 0))[0]
            sets = source.caches[kube.SETS.kind].of(meta["namespace"])
            names = {name for name in (s.value["metadata"]["name"] for s in sets) if base.endswith(f"-{name}")}
        else:
            names.add(meta["name"].rpartition("-")[0])
        for name in names:
            queue.add(Key(meta["namespace"], name))

    source = kube.Source(api, namespace, changed)
    async with asyncio.TaskGroup() as tasks:
        executor = kube.Executor(api, source.conditions)
        events = kube.Events(api, source, "setplan-python")
        queue = kube.Queue(Loop(source, executor, planner, kube.CAPABILITIES, Told(events)).reconcile)
        tasks.create_task(source.run())
        tasks.create_task(events.run())
        await source.filled()
        log.info('msg="the caches are filled"')
        tasks.create_task(queue.run())
        await asyncio.sleep(0)  # the queue has begun
        for set_ in source.caches[kube.SETS.kind].all():
            queue.add(Key(set_.value["metadata"]["namespace"], set_.value["metadata"]["name"]))


async def main() -> None:
    """Connect, get the lease, and run until a signal."""
    logging.basicConfig(level=logging.INFO, format="level=%(levelname)s %(message)s")
    logging.getLogger("httpx").setLevel(logging.WARNING)
    args = flags()
    if (task := asyncio.current_task()) is not None:
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
    tls = None if args.planner_insecure else TLSFiles(args.planner_ca_file, args.planner_cert_file, args.planner_key_file)
    async with (
        await kube.connect(args.kubeconfig) as api,
        aio.Client(args.planner_address, tls=tls, insecure=args.planner_insecure) as planner,
    ):
        work = control(api, planner, args.namespace)
        if args.leader_elect == "false":
            return await work
        name = f"setplan-adapter.{args.namespace}" if args.namespace else "setplan-adapter"
        lease = kube.Lease(api, "kube-system", name, platform.node())
        return await lease.hold(work)


if __name__ == "__main__":
    with contextlib.suppress(asyncio.CancelledError, KeyboardInterrupt):
        asyncio.run(main())
