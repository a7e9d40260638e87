// What to do with an error: node errors.ts PLANNER.

import { create } from "@bufbuild/protobuf";
import { InvalidSnapshot, Overloaded, Planner, PlannerError } from "@setplan/client";
import { PlanRequestSchema } from "@setplan/client/v1";

const planner = Planner.connect(process.argv[2] ?? "127.0.0.1:7450", { insecure: true });
try {
  await planner.plan(create(PlanRequestSchema));
} catch (error) {
  if (error instanceof InvalidSnapshot) console.log(`mend the request: ${error.violations.map(({ field }) => field).join()}`);
  else if (error instanceof Overloaded) console.log(`ask again in ${String(error.retryAfterMs)} ms`);
  else if (error instanceof PlannerError) console.log(`no plan: ${error.message}`);
  else throw error;
}
planner.close();
