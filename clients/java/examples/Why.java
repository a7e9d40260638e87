import com.google.protobuf.ByteString;
import io.setplan.client.*;
import io.setplan.v1.*;

/** Says why a set waits: kubectl get sts,pods,pvc,controllerrevisions -o json | java Why.java NAME PLANNER. */
class Why {
    public static void main(String[] args) throws Exception {
        Objects.Builder objects = Objects.newBuilder()
                .setName(args[0])
                .addDocuments(ByteString.readFrom(System.in))
                .setCoverage(Requests.COMPLETE);
        try (Planner planner = Planner.connectInsecure(args[1])) {
            Plan plan = planner.plan(Requests.of(objects));
            for (Block block : plan.getBlocksList())
                System.out.println(block.getSubject().getName() + ": " + block.getMessage() + " " + block.getRemedy());
            if (plan.getConverged()) System.out.println(args[0] + " waits for nothing");
        }
    }
}
