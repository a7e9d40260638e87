package io.setplan.kube;

import io.setplan.rawjson.Raw;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The right to write: adapters of one cluster take turns, by a Lease as client-go's elector uses it. Times are on a clock that does not jump.
 *
 * <p>A holder stops a tenth before anybody else can have seen the lease expire: its term counts from when the last renewal was sent, and the
 * next holder counts from when it saw that renewal. It gives the lease back when its work has ended, and not before.
 */
public final class Lease {
    private static final Logger LOG = LoggerFactory.getLogger(Lease.class);
    private static final String MERGE = "application/merge-patch+json";
    private static final DateTimeFormatter MICROS =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

    private final Api api;
    private final String namespace;
    private final String name;
    private final String identity;
    private final Duration duration;
    private final Duration retry;

    // The version of somebody else's lease, and since when.
    private String seenVersion = "";
    private long seenSince;

    /**
     * A lease of 15 s, which is tried every 2 s.
     *
     * @param api the cluster
     * @param namespace the lease's namespace
     * @param name the lease's name
     * @param identity names this process; it must be unique among those that take part
     */
    public Lease(Api api, String namespace, String name, String identity) {
        this(api, namespace, name, identity, Duration.ofSeconds(15), Duration.ofSeconds(2));
    }

    /**
     * A lease.
     *
     * @param api the cluster
     * @param namespace the lease's namespace
     * @param name the lease's name
     * @param identity names this process; it must be unique among those that take part
     * @param duration after this time without a renewal another process may take the lease; whole seconds
     * @param retry the wait between two tries
     */
    public Lease(Api api, String namespace, String name, String identity, Duration duration, Duration retry) {
        this.api = api;
        this.namespace = namespace;
        this.name = name;
        this.identity = identity;
        this.duration = duration;
        this.retry = retry;
    }

    /**
     * Waits for the lease, and works while it is held. The work has a thread of its own and must end when that is interrupted. An interrupt of
     * the caller ends both.
     *
     * @param work what is done meanwhile
     * @throws InterruptedException the thread was interrupted
     * @throws LeaseLostException the lease was lost, and the work was cut off
     */
    public void hold(Runnable work) throws InterruptedException {
        OptionalLong until = taken(OptionalLong.empty());
        while (until.isEmpty()) {
            Thread.sleep(retry.toMillis());
            until = taken(OptionalLong.empty());
        }
        AtomicReference<@Nullable RuntimeException> thrown = new AtomicReference<>();
        Thread worker = new Thread(
                () -> {
                    try {
                        work.run();
                    } catch (RuntimeException e) {
                        thrown.set(e);
                    }
                },
                "holder of " + name);
        worker.start();
        try {
            keep(worker, until.getAsLong());
        } finally {
            worker.interrupt();
            Threads.joinAll(List.of(worker));
            release();
        }
        RuntimeException error = thrown.get();
        if (error != null) {
            throw error;
        }
    }

    /** Renews the lease until the work has ended. */
    private void keep(Thread worker, long first) throws InterruptedException {
        long until = first;
        while (true) {
            long left = Math.max((until - System.nanoTime()) / 1_000_000, 1);
            worker.join(Math.min(retry.toMillis(), left));
            if (!worker.isAlive()) {
                return;
            }
            until = taken(OptionalLong.of(until)).orElse(until);
            if (System.nanoTime() - until >= 0) {
                throw new LeaseLostException("the lease " + name + " was not renewed in time");
            }
        }
    }

    /**
     * Takes or renews the lease, and returns when the term ends; empty if it was not possible. LeaseLostException: while it was ours, somebody
     * gave it away without asking us.
     */
    private OptionalLong taken(OptionalLong until) {
        long sent = System.nanoTime();
        Duration left = until.isEmpty() ? duration : Duration.ofNanos(Math.max(until.getAsLong() - sent, 1_000_000));
        try {
            boolean ours = write(until.isPresent(), left);
            return ours ? OptionalLong.of(sent + duration.toNanos() / 10 * 9) : OptionalLong.empty();
        } catch (ApiException | UnavailableException e) {
            LOG.warn("the lease {}: {}", name, e.toString());
            return OptionalLong.empty();
        }
    }

    private boolean write(boolean renews, Duration left) {
        long end = System.nanoTime() + left.toNanos();
        String now = MICROS.format(Instant.now());
        Map<String, Object> spec = new LinkedHashMap<>();
        spec.put("holderIdentity", identity);
        spec.put("leaseDurationSeconds", duration.toSeconds());
        spec.put("renewTime", now);
        Raw live = live(left);
        if (live == null) {
            spec.put("acquireTime", now);
            return sent(
                    "POST",
                    Resource.LEASES.path(namespace),
                    Api.JSON,
                    Map.of(
                            "apiVersion",
                            "coordination.k8s.io/v1",
                            "kind",
                            "Lease",
                            "metadata",
                            Map.of("name", name),
                            "spec",
                            spec),
                    end);
        }
        String holder = live.string("spec", "holderIdentity");
        if (renews && !holder.equals(identity)) {
            throw new LeaseLostException(
                    "the lease %s belongs to %s".formatted(name, holder.isEmpty() ? "nobody" : holder));
        }
        if (!holder.isEmpty() && !holder.equals(identity) && !hasExpired(live)) {
            return false;
        }
        if (!holder.equals(identity)) {
            spec.put("acquireTime", now);
            spec.put("leaseTransitions", live.int64("spec", "leaseTransitions") + 1);
        }
        return patched(live, spec, end);
    }

    /** Reports whether somebody else's lease has not been renewed for as long as it holds. */
    private boolean hasExpired(Raw live) {
        String version = live.string("metadata", "resourceVersion");
        if (!seenVersion.equals(version)) {
            seenVersion = version;
            seenSince = System.nanoTime();
        }
        long seconds = live.int64("spec", "leaseDurationSeconds");
        Duration holds = seconds == 0 ? duration : Duration.ofSeconds(seconds);
        return System.nanoTime() - seenSince >= holds.toNanos();
    }

    /** Lets the next one begin at once; it waits for the end of the lease if this fails. */
    private void release() {
        boolean interrupted = Thread.interrupted(); // what ended the work must not end this
        try {
            Raw live = live(duration);
            if (live != null && live.string("spec", "holderIdentity").equals(identity)) {
                patched(live, Map.of("holderIdentity", ""), System.nanoTime() + duration.toNanos());
            }
        } catch (ApiException | UnavailableException e) {
            LOG.warn("the lease {} was not given back: {}", name, e.toString());
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private @Nullable Raw live(Duration left) {
        try {
            return api.get(Resource.LEASES.path(namespace, name), left);
        } catch (ApiException e) {
            if (e.isNotFound()) {
                return null;
            }
            throw e;
        }
    }

    private boolean patched(Raw live, Map<String, Object> spec, long end) {
        Map<String, Object> metadata = Map.of("resourceVersion", live.string("metadata", "resourceVersion"));
        return sent(
                "PATCH", Resource.LEASES.path(namespace, name), MERGE, Map.of("metadata", metadata, "spec", spec), end);
    }

    private boolean sent(String method, String path, String contentType, Map<String, Object> body, long end) {
        Duration left = Duration.ofNanos(Math.max(end - System.nanoTime(), 1_000_000));
        try {
            api.send(method, path, contentType, Body.encode(body), left);
            return true;
        } catch (ApiException e) {
            if (e.status() == ApiException.CONFLICT) {
                return false;
            }
            throw e;
        }
    }
}
