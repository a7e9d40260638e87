"""Says why a set is waiting: python look.py NAMESPACE NAME PLANNER."""

import asyncio
import sys
from datetime import UTC, datetime

from setplan import aio, kube, snapshot
from setplan.v1 import Coverage, PlanRequest, Severity


async def look(namespace: str, name: str, planner: str) -> None:
    async with await kube.connect() as api:
        objects = await kube.read(api, namespace, name)
    complete = Coverage(pods=True, claims=True, revisions=True)
    request = PlanRequest(snapshot=snapshot.of(objects, complete, datetime.now(UTC)))
    async with aio.Client(planner, insecure=True) as client:
        plan = await client.plan(request)
    if plan.converged:
        print(f"{name} is as it should be")
    for stage in plan.stages:
        for step in stage.steps:
            for action in step.actions:
                print(f"{action.WhichOneof('operation')} {action.target.name}: {action.cause.message}")
    for block in plan.blocks:
        known = Severity.DESCRIPTOR.values_by_number.get(block.severity)  # a later planner may have more
        print(f"{known.name if known else block.severity} {block.subject.name}: {block.message} {block.remedy}")


if __name__ == "__main__":
    asyncio.run(look(*sys.argv[1:]))
