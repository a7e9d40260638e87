// Says why a set waits: kubectl get sts,pods,pvc,controllerrevisions -o json | node why.mjs NAME PLANNER

import { readFileSync } from "node:fs";
import { Planner, planRequest } from "@setplan/client";

const [name, address] = process.argv.slice(2);
const planner = Planner.connect(address, { insecure: true });
const request = planRequest([readFileSync(0)], name, { complete: ["pods", "claims", "revisions"] });
const { blocks, converged } = await planner.plan(request);
for (const { subject, message, remedy } of blocks) console.log(`${subject.name}: ${message} ${remedy}`);
if (converged) console.log(`${name} waits for nothing`);
