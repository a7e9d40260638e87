// An operator: it writes a Database's image to its StatefulSet, unless more than one member would be down at once.

import { type Planner, planRequest } from "@setplan/client";
import { ForecastVerdict } from "@setplan/client/v1";

export interface Cluster {
  /** What `kubectl get sts,pods,pvc,controllerrevisions -o json` prints. */
  objects(): Promise<string>;
  /** What `kubectl set image -o json` prints, with `--dry-run=server` or without. */
  setImage(name: string, image: string, dryRun: boolean): Promise<string>;
}

/** Writes the image to a database's set if that is safe, and says what was decided. */
export async function upgrade(name: string, image: string, cluster: Cluster, planner: Planner): Promise<string> {
  const editedSet = await cluster.setImage(name, image, true);
  const start = planRequest([await cluster.objects()], name, { complete: ["pods", "claims", "revisions"], editedSet });
  const { verdict, blocks, peakUnavailable, restarts } = await planner.forecast({ start });
  if (verdict !== ForecastVerdict.CONVERGED) return `${name} not upgraded: ${blocks.map(({ message }) => message).join(" ")}`;
  if (peakUnavailable > 1) return `${name} not upgraded: ${String(peakUnavailable)} members would be down at once`;
  await cluster.setImage(name, image, false);
  return `${name} restarts ${String(restarts.length)} members, one at a time`;
}
