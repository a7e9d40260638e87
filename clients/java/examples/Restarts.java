import com.google.protobuf.ByteString;
import io.setplan.client.*;
import io.setplan.v1.*;
import java.io.FileInputStream;

/** Fails if an edit restarts a pod or never finishes: java Restarts.java NAME PLANNER OBJECTS EDITED. */
class Restarts {
    public static void main(String[] args) throws Exception {
        Objects.Builder objects = Objects.newBuilder()
                .setName(args[0])
                .addDocuments(ByteString.readFrom(new FileInputStream(args[2])))
                .setEditedSet(ByteString.readFrom(new FileInputStream(args[3])))
                .setCoverage(Requests.COMPLETE);
        try (Planner planner = Planner.connectInsecure(args[1])) {
            ForecastResult result = planner.forecast(
                    ForecastRequest.newBuilder().setStart(Requests.of(objects)).build());
            for (ForecastRestart pod : result.getRestartsList())
                System.out.println(pod.getPod() + " restarts: " + pod.getCause().getMessage());
            for (ForecastChange pod : result.getContainerRestartsList())
                System.out.println(
                        pod.getName() + " restarts: " + pod.getCause().getMessage());
            System.out.println(result.getVerdict());
            boolean none = result.getRestartsCount() + result.getContainerRestartsCount() == 0;
            System.exit(none && result.getVerdict() == ForecastVerdict.FORECAST_VERDICT_CONVERGED ? 0 : 1);
        }
    }
}
