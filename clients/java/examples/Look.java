import io.setplan.adapter.Operations;
import io.setplan.client.Client;
import io.setplan.kube.*;
import io.setplan.snapshot.Snapshots;
import io.setplan.v1.*;
import java.time.Instant;

/** Says why a set is waiting: java Look.java NAMESPACE NAME PLANNER. */
class Look {
    public static void main(String[] args) {
        var complete = Coverage.newBuilder().setPods(true).setClaims(true).setRevisions(true);
        try (Api api = Api.connect();
                Client planner = Client.builder(args[2]).insecure().build()) {
            var snapshot = Snapshots.of(Reads.read(api, args[0], args[1]), complete.build(), Instant.now());
            var request = PlanRequest.newBuilder().setSnapshot(snapshot);
            Plan plan = planner.plan(request.build());
            if (plan.getConverged()) System.out.println(args[1] + " is as it should be");
            for (Action action : Operations.actionsOf(plan)) {
                String why = action.getCause().getMessage();
                say(Operations.nameOf(action), action.getTarget(), why);
            }
            for (Block block : plan.getBlocksList())
                say(block.getSeverity(), block.getSubject(), block.getMessage() + " " + block.getRemedy());
        }
    }

    private static void say(Object what, Target about, String why) {
        System.out.printf("%s %s: %s%n", what, about.getName(), why);
    }
}
