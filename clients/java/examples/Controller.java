import io.setplan.adapter.*;
import io.setplan.client.*;
import io.setplan.kube.*;
import io.setplan.v1.Action;
import io.setplan.v1.Plan;
import io.setplan.v1.Severity;
import io.setplan.v1.Snapshot;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A StatefulSet controller: it watches sets, asks a planner, and carries out the plans.
 *
 * <pre>
 * --kubeconfig         the cluster; without it $KUBECONFIG, or the pod's service account
 * --namespace          run the sets of this namespace only
 * --planner-address
 * --planner-ca-file    PEM file with the authorities for the planner's certificate
 * --planner-cert-file  PEM file with this adapter's certificate
 * --planner-key-file   PEM file with its key
 * --planner-insecure   without TLS, for a planner on the same machine
 * --leader-elect       act only while holding a lease; true without it
 * </pre>
 */
class Controller {
    /** Logs what happens, and raises events for what people should see. */
    private record Told(Events events, Map<Key, Set<String>> blocks) implements Observer {
        /** Raises an event when a block appears that somebody has to act on. */
        @Override
        public void planned(Key key, Snapshot snapshot, Plan plan) {
            Set<String> asking = new HashSet<>();
            plan.getBlocksList().stream()
                    .filter(block -> block.getSeverity() == Severity.SEVERITY_ATTENTION)
                    .forEach(block -> asking.add(block.getMessage() + " " + block.getRemedy()));
            Set<String> before = blocks.getOrDefault(key, Set.of());
            asking.stream()
                    .filter(message -> !before.contains(message))
                    .forEach(message -> events.warn(key, "Blocked", message));
            blocks.put(key, asking);
        }

        @Override
        public void applied(Key key, Action action, Result result) {
            String what = Operations.nameOf(action) + " " + action.getTarget().getName();
            log(what, key, result.error());
            if (result.error() != null) {
                events.warn(key, "FailedAction", what + ": " + result.error().getMessage());
            }
        }

        /** Logs why nothing is done, and raises an event for a plan that is refused. */
        @Override
        public void held(Key key, String reason, Exception error) {
            log("held: " + reason, key, error);
            if (reason.equals("verification")) {
                events.warn(key, "PlanRefused", error.getMessage());
            }
        }

        @Override
        public void forgotten(Key key) {
            blocks.remove(key);
        }
    }

    private static void log(String message, Object set, Exception error) {
        System.err.printf("msg=\"%s\" set=%s error=\"%s\"%n", message, set, error == null ? "" : error.getMessage());
    }

    /** Runs the sets until the thread is interrupted. */
    private static void control(Api api, Client planner, String namespace) {
        try (CachedSource source = new CachedSource(api, namespace)) {
            Told told = new Told(new Events(api, source, "setplan-java"), new ConcurrentHashMap<>());
            ApiExecutor executor = new ApiExecutor(api, source::conditions);
            Loop loop = Loop.builder(source, executor, planner::plan, ApiExecutor.CAPABILITIES)
                    .observer(told)
                    .build();
            Queue queue = new Queue(loop::reconcile, (key, error) -> log("failed", key, error), 20);
            source.start(queue::add);
            log("the caches are filled", "", null);
            queue.run();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static Map<String, String> flags(String[] args) {
        Map<String, String> flags = new HashMap<>();
        for (int i = 0; i < args.length; i++) {
            String[] flag = args[i].split("=", 2);
            boolean alone = flag[0].equals("--planner-insecure");
            flags.put(flag[0], flag.length == 2 ? flag[1] : alone ? "true" : args[++i]);
        }
        return flags;
    }

    private static Path path(Map<String, String> flags, String flag) {
        return flags.containsKey(flag) ? Path.of(flags.get(flag)) : null;
    }

    public static void main(String[] args) throws Exception {
        Map<String, String> flags = flags(args);
        Thread main = Thread.currentThread();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            main.interrupt();
            try {
                main.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }));
        ClientBuilder options = Client.builder(flags.get("--planner-address"));
        if (flags.containsKey("--planner-insecure")) {
            options.insecure();
        } else {
            options.tls(new TlsFiles(
                    path(flags, "--planner-ca-file"),
                    path(flags, "--planner-cert-file"),
                    path(flags, "--planner-key-file")));
        }
        String namespace = flags.get("--namespace");
        Path kubeconfig = path(flags, "--kubeconfig");
        try (Api api = kubeconfig == null ? Api.connect() : Api.connect(kubeconfig);
                Client planner = options.build()) {
            Runnable work = () -> control(api, planner, namespace);
            if (flags.getOrDefault("--leader-elect", "true").equals("false")) {
                work.run();
            } else {
                String name = namespace == null ? "setplan-adapter" : "setplan-adapter." + namespace;
                String host = InetAddress.getLocalHost().getHostName();
                new Lease(api, "kube-system", name, host).hold(work);
            }
        } catch (InterruptedException e) {
            log("ended", "", null);
        }
    }
}
