// Fails if an edit restarts a pod or never finishes: node restarts.mjs NAME OBJECTS.json EDITED.json, with setplan.wasm beside it.
//
// kubectl get sts,pods,pvc,controllerrevisions -o json > OBJECTS.json
// kubectl apply --dry-run=server -o json -f set.yaml > EDITED.json

import { readFileSync } from "node:fs";
import { Planner, planRequest } from "@setplan/client";
import { ForecastVerdict } from "@setplan/client/v1";

const [name, objects, edited] = process.argv.slice(2);
const complete = ["pods", "claims", "revisions"];
const start = planRequest([readFileSync(objects)], name, { complete, editedSet: readFileSync(edited) });
const planner = await Planner.local("setplan.wasm");
const { verdict, blocks, restarts, containerRestarts } = await planner.forecast({ start });
const pods = [...restarts.map(({ pod }) => pod), ...containerRestarts.map(({ name }) => name)];
const wrong = pods.length > 0 ? ["restarts", pods.join(", ")] : [];
if (verdict !== ForecastVerdict.CONVERGED) wrong.push("it never finishes:", ...blocks.map(({ message }) => message));
if (wrong.length > 0) console.error(wrong.join(" "));
process.exitCode = wrong.length > 0 ? 1 : 0;
