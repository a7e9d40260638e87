"""Says why a set waits: kubectl get sts,pods,pvc,controllerrevisions -o json | python why.py NAME PLANNER."""

import sys

from setplan import Planner, plan_request

name, address = sys.argv[1:]
request = plan_request([sys.stdin.buffer.read()], name, complete=["pods", "claims", "revisions"])
with Planner.connect(address, insecure=True) as planner:
    plan = planner.plan(request)
for block in plan.blocks:
    print(f"{block.subject.name}: {block.message} {block.remedy}")
if plan.converged:
    print(f"{name} waits for nothing")
