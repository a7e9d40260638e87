package io.setplan.kube;

import io.setplan.adapter.Key;
import io.setplan.rawjson.Raw;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Raises events about sets, for people (SPEC.md, A17), one after another. It does not keep its caller waiting. */
public final class Events {
    private static final Logger LOG = LoggerFactory.getLogger(Events.class);
    private static final int MAX_MESSAGE = 1024; // what an API server takes

    /** Who makes more events than the API server takes does not fill the memory. */
    private static final int MOST_WAITING = 10_000;

    private final Api api;
    private final CachedSource source;
    private final String component;
    final ThreadPoolExecutor sender =
            new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(MOST_WAITING), task -> {
                Thread thread = new Thread(task, "events");
                thread.setDaemon(true);
                return thread;
            });

    /**
     * Raises events about the sets of a source.
     *
     * @param api the cluster
     * @param source what reads
     * @param component names the program
     */
    public Events(Api api, CachedSource source, String component) {
        this.api = api;
        this.source = source;
        this.component = component;
    }

    /**
     * Raises a warning. {@code reason} is one word.
     *
     * @param key the set
     * @param reason one word
     * @param message for people; 1,024 characters of it count
     */
    public void warn(Key key, String reason, String message) {
        try {
            sender.execute(() -> send(key, reason, message));
        } catch (RejectedExecutionException e) {
            LOG.warn("no event about {}: too many wait", key);
        }
    }

    private void send(Key key, String reason, String message) {
        try {
            Map<String, Object> event = event(source.cached(key), reason, message);
            String path = Resource.EVENTS.path(key.namespace());
            api.send("POST", path, Api.JSON, Body.encode(event), Api.TIMEOUT);
        } catch (RuntimeException e) { // refused, no answer, the set is gone, or the lease
            LOG.warn("no event about {}: {}", key, e.toString());
        }
    }

    private Map<String, Object> event(Raw set, String reason, String message) {
        String now = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
        Map<String, Object> about = new LinkedHashMap<>();
        about.put("apiVersion", set.string("apiVersion"));
        about.put("kind", set.string("kind"));
        for (String field : new String[] {"namespace", "name", "uid", "resourceVersion"}) {
            about.put(field, set.string("metadata", field));
        }
        return Map.ofEntries(
                Map.entry(
                        "metadata",
                        Map.of(
                                "generateName",
                                set.string("metadata", "name") + ".",
                                "namespace",
                                set.string("metadata", "namespace"))),
                Map.entry("involvedObject", about),
                Map.entry("reason", reason),
                Map.entry("message", message.substring(0, Math.min(message.length(), MAX_MESSAGE))),
                Map.entry("type", "Warning"),
                Map.entry("source", Map.of("component", component)),
                Map.entry("firstTimestamp", now),
                Map.entry("lastTimestamp", now),
                Map.entry("count", 1));
    }
}
