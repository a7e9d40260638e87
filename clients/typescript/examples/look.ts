// Says why a set is waiting: node look.js NAMESPACE NAME PLANNER.

import { create } from "@bufbuild/protobuf";
import { Client } from "@setplan/client";
import { connect, read } from "@setplan/client/kube";
import * as snapshot from "@setplan/client/snapshot";
import { CoverageSchema, PlanRequestSchema, Severity } from "@setplan/client/v1";

const [namespace = "default", name = "web", address = "127.0.0.1:7450"] = process.argv.slice(2);

const api = connect();
const objects = await read(api, namespace, name);
api.close();
const complete = create(CoverageSchema, { pods: true, claims: true, revisions: true });
const request = create(PlanRequestSchema, { snapshot: snapshot.of(objects, complete, new Date()) });
const planner = new Client(address, { insecure: true });
const plan = await planner.plan(request);
planner.close();

if (plan.converged) console.log(`${name} is as it should be`);
for (const { steps } of plan.stages) {
  for (const { operation, target, cause } of steps.flatMap((step) => step.actions)) {
    console.log(`${operation.case ?? "unknown"} ${target?.name ?? ""}: ${cause?.message ?? ""}`);
  }
}
for (const { severity, subject, message, remedy } of plan.blocks) {
  console.log(`${(Severity[severity] as string | undefined) ?? "UNKNOWN"} ${subject?.name ?? ""}: ${message} ${remedy}`);
}
