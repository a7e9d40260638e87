// Fails if an edit restarts a pod: node restarts.mjs NAME OBJECTS.json EDITED.json, with setplan.wasm beside it.
//
// kubectl get sts,pods,pvc,controllerrevisions -o json > OBJECTS.json
// kubectl apply --dry-run=server -o json -f set.yaml > EDITED.json

import { readFileSync } from "node:fs";
import { Planner, planRequest } from "@setplan/client";

const [name, objects, edited] = process.argv.slice(2);
const complete = ["pods", "claims", "revisions"];
const start = planRequest([readFileSync(objects)], name, { complete, editedSet: readFileSync(edited) });
const planner = await Planner.local("setplan.wasm");
const { restarts, containerRestarts } = await planner.forecast({ start });
const pods = [...restarts.map(({ pod }) => pod), ...containerRestarts.map(({ name }) => name)];
if (pods.length > 0) {
  console.error(`restarts ${pods.join(", ")}`);
  process.exitCode = 1;
}
