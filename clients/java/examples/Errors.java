import io.setplan.client.*;
import io.setplan.v1.PlanRequest;

/** What to do with an error: java Errors.java PLANNER. */
class Errors {
    public static void main(String[] args) {
        try (Client planner = Client.builder(args[0]).insecure().build()) {
            planner.plan(PlanRequest.getDefaultInstance());
        } catch (InvalidSnapshotException e) {
            System.out.println("mend the request: " + e.violations().get(0).field());
        } catch (OverloadedException e) {
            System.out.println("ask again after " + e.retryAfter());
        } catch (PlannerException e) {
            System.out.println("no plan, so change nothing: " + e.getMessage());
        }
    }
}
