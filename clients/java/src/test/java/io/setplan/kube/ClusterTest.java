package io.setplan.kube;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.setplan.rawjson.Raw;
import io.setplan.testing.Cluster;
import io.setplan.testing.Examples;
import io.setplan.testing.History;
import io.setplan.testing.Servers;
import io.setplan.testing.Servers.Planner;
import io.setplan.testing.Servers.Program;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The examples on a real control plane, judged by what the API server announces. */
class ClusterTest {
    private static final String SET = """
            {"apiVersion":"apps/v1","kind":"StatefulSet","metadata":{"name":"web","annotations":{}},
             "spec":{"replicas":3,"serviceName":"web","selector":{"matchLabels":{"app":"web"}},
              "template":{"metadata":{"labels":{"app":"web"}},
               "spec":{"containers":[{"name":"nginx","image":"registry.example/nginx:1"}]}},
              "volumeClaimTemplates":[{"metadata":{"name":"www"},
               "spec":{"accessModes":["ReadWriteOnce"],"resources":{"requests":{"storage":"1Gi"}}}}]}}
            """;

    private static Cluster here;
    private static Planner planner;

    @BeforeAll
    static void up() throws Exception {
        here = new Cluster();
        planner = Servers.planner();
    }

    @AfterAll
    static void down() throws Exception {
        planner.close();
        here.down();
    }

    private static Program controller(String namespace) {
        return Examples.run(
                "Controller",
                Map.of(),
                "--kubeconfig",
                here.kubeconfig().toString(),
                "--namespace=" + namespace,
                "--planner-address",
                planner.address(),
                "--planner-insecure");
    }

    private static void until(Callable<Boolean> done, Callable<String> what) throws Exception {
        for (int i = 0; i < 3000; i++) {
            if (done.call()) {
                return;
            }
            Thread.sleep(20); // waits for what ends what hangs, and measures nothing
        }
        throw new AssertionError(what.call());
    }

    /** A set is made, scaled, rolled and deleted, by the example of a controller with leader election. */
    @Test
    void life() throws Exception {
        here.kubectl("create namespace life");
        try (Api api = Api.connect(here.kubeconfig());
                History history = new History(api, "life");
                Program program = controller("life")) {
            here.kubectl(SET, "apply -n life -f -");
            history.is("+web-0 !web-0 +web-1 !web-1 +web-2 !web-2");
            here.kubectl("scale -n life statefulset/web --replicas 4");
            history.is("+web-3 !web-3");
            here.kubectl("scale -n life statefulset/web --replicas 2");
            history.is("-web-3 -web-2");
            here.kubectl("set image -n life statefulset/web nginx=registry.example/nginx:2");
            history.is("-web-1 +web-1 !web-1 -web-0 +web-0 !web-0");
            assertEquals("registry.example/nginx:2", history.images.get("web-0"));
            Callable<String> status = () -> here.kubectl(
                    "get -n life statefulset/web -o jsonpath={.status.readyReplicas}/{.status.observedGeneration}");
            until(() -> status.call().equals("2/4"), status);
            assertEquals(4, claims());
            here.kubectl("delete -n life statefulset/web");
            assertEquals(
                    List.of("-web-0", "-web-1"),
                    history.next(2).stream().sorted().toList(),
                    "by the garbage collector");
            assertEquals(4, claims());
            program.process.toHandle().destroy(); // which gives the lease back
            program.says(Pattern.compile("msg=\"ended\""));
            assertEquals(
                    "",
                    here.kubectl("get -n kube-system lease/setplan-adapter.life -o jsonpath={.spec.holderIdentity}"));
        }
    }

    private static int claims() throws Exception {
        return here.kubectl("get -n life persistentvolumeclaims -o name")
                .strip()
                .split("\n")
                .length;
    }

    /** A second controller waits; when the first is killed, it goes on once the lease has expired. */
    @Test
    void next() throws Exception {
        here.kubectl("create namespace next");
        try (Api api = Api.connect(here.kubeconfig());
                History history = new History(api, "next");
                Program first = controller("next")) {
            first.says(Pattern.compile("caches are filled"));
            try (Program second = controller("next")) {
                first.kill();
                here.kubectl(SET, "apply -n next -f -");
                history.is("+web-0 !web-0 +web-1 !web-1 +web-2 !web-2");
                assertTrue(second.log().contains("caches are filled"));
            }
        }
    }

    /** The example says why a paused set waits, and numbers keep their text. */
    @Test
    void look() throws Exception {
        here.kubectl("create namespace looked");
        here.kubectl(
                SET.replace("\"annotations\":{}", "\"annotations\":{\"setplan.io/pause\":\"All\"}"),
                "apply -n looked -f -");
        Map<String, String> environment = Map.of("KUBECONFIG", here.kubeconfig().toString());
        Pattern told = Pattern.compile("^SEVERITY_(ATTENTION|WAIT|INFO) web: .*setplan\\.io/pause", Pattern.MULTILINE);
        try (Program program = Examples.run("Look", environment, "looked", "web", planner.address())) {
            assertNotNull(program.says(told));
        }
        Examples.readmeSays(environment, planner.address(), told);
        try (Api api = Api.connect(here.kubeconfig())) {
            Raw set = Reads.read(api, "looked", "web").set();
            Raw stored = Raw.parse(here.kubectl("get --raw /apis/apps/v1/namespaces/looked/statefulsets/web"));
            assertEquals(
                    stored.get("spec", "template").text(),
                    set.get("spec", "template").text());
        }
    }
}
