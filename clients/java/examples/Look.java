import io.setplan.client.Client;
import io.setplan.kube.Api;
import io.setplan.kube.Reads;
import io.setplan.snapshot.Snapshots;
import io.setplan.v1.*;
import java.time.Instant;

/** Says why a set is waiting: java Look.java NAMESPACE NAME PLANNER. */
class Look {
    public static void main(String[] args) {
        String name = args[1];
        Coverage complete = Coverage.newBuilder()
                .setPods(true)
                .setClaims(true)
                .setRevisions(true)
                .build();
        try (Api api = Api.connect();
                Client planner = Client.builder(args[2]).insecure().build()) {
            Snapshot snapshot = Snapshots.of(Reads.read(api, args[0], name), complete, Instant.now());
            Plan plan =
                    planner.plan(PlanRequest.newBuilder().setSnapshot(snapshot).build());
            if (plan.getConverged()) {
                System.out.println(name + " is as it should be");
            }
            for (Action action : io.setplan.adapter.Operations.actionsOf(plan)) {
                System.out.println(
                        action.getOperationCase() + " " + action.getTarget().getName() + ": "
                                + action.getCause().getMessage());
            }
            for (Block block : plan.getBlocksList()) {
                System.out.println(block.getSeverity() + " "
                        + block.getSubject().getName() + ": " + block.getMessage() + " " + block.getRemedy());
            }
        }
    }
}
