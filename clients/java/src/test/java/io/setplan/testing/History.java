package io.setplan.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.setplan.kube.Api;
import io.setplan.kube.Resource;
import io.setplan.kube.UnavailableException;
import io.setplan.rawjson.Raw;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What happened to pods: {@code +web-0} was made, {@code -web-0} was asked to end, {@code !web-0} was ready. */
public final class History implements AutoCloseable {
    public final Map<String, String> images = new HashMap<>();

    private final List<String> told = new ArrayList<>();
    private final Set<String> seen = new HashSet<>();
    private final Thread watch;

    /** Begins with what happens from now on. */
    public History(Api api, String namespace) {
        String path = Resource.PODS.path(namespace);
        String version = api.get(path).string("metadata", "resourceVersion");
        watch = new Thread(() -> {
            try {
                api.watch(path, version, this::take);
            } catch (UnavailableException e) {
                Thread.currentThread().interrupt(); // closed
            }
        });
        watch.start();
    }

    private synchronized void take(Raw event) {
        Raw pod = event.get("object");
        if (pod == null || event.string("type").equals("BOOKMARK")) {
            return;
        }
        String name = pod.string("metadata", "name");
        String uid = pod.string("metadata", "uid");
        if (event.string("type").equals("ADDED")) {
            told.add("+" + name);
            images.put(name, pod.list("spec", "containers").get(0).string("image"));
        }
        if (pod.get("metadata", "deletionTimestamp") != null
                || event.string("type").equals("DELETED")) {
            once("-" + name, uid);
        }
        if (pod.list("status", "conditions").stream()
                .anyMatch(c ->
                        c.string("type").equals("Ready") && c.string("status").equals("True"))) {
            once("!" + name, uid);
        }
        notifyAll();
    }

    private void once(String what, String uid) {
        if (seen.add(what + uid)) {
            told.add(what);
        }
    }

    /** Waits for as many things as a story has, and takes them. */
    public synchronized List<String> next(int things) throws InterruptedException {
        long end = System.nanoTime() + 120_000_000_000L; // ends what hangs, and measures nothing
        while (told.size() < things && System.nanoTime() < end) {
            wait(1000);
        }
        List<String> next = List.copyOf(told);
        told.clear();
        return next;
    }

    /** Waits for a story, and nothing else. */
    public void is(String story) throws InterruptedException {
        List<String> wanted = List.of(story.split(" "));
        assertEquals(wanted, next(wanted.size()));
    }

    @Override
    public void close() {
        watch.interrupt();
    }
}
