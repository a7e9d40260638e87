"""Fails if an edit restarts a pod or never finishes: python restarts.py NAME OBJECTS.json EDITED.json, with setplan.wasm beside it.

kubectl get sts,pods,pvc,controllerrevisions -o json > OBJECTS.json
kubectl apply --dry-run=server -o json -f set.yaml > EDITED.json
"""

import sys
from pathlib import Path

from setplan import Planner, plan_request
from setplan.v1 import ForecastRequest, ForecastVerdict

name, objects, edited = sys.argv[1:]
request = plan_request(
    [Path(objects).read_bytes()], name, complete=["pods", "claims", "revisions"], edited_set=Path(edited).read_bytes()
)
with Planner.local("setplan.wasm") as planner:
    result = planner.forecast(ForecastRequest(start=request))
if result.verdict != ForecastVerdict.FORECAST_VERDICT_CONVERGED:
    sys.exit(" ".join(["it never finishes:", *(block.message for block in result.blocks)]))
restarts = [restart.pod for restart in result.restarts] + [change.name for change in result.container_restarts]
sys.exit(f"restarts {', '.join(restarts)}" if restarts else 0)
