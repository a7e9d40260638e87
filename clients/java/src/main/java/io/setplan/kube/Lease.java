package io.setplan.kube;

import io.setplan.rawjson.Raw;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The right to write: adapters of one cluster take turns, by a Lease as client-go's elector uses it. Times are on a clock that does not jump.
 *
 * <p>A holder stops a tenth before anybody else can have seen the lease expire: its term counts from when the last renewal was sent, and the
 * next holder counts from when it saw that renewal. Within the term the writes of the lease's {@link Api} are sent, and no others. The lease is
 * given back when its work has ended within the term and no write of it is without an answer; else it expires.
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
     * @param api the cluster: what writes through it writes only while the lease is held, so each lease has one of its own
     * @param namespace the lease's namespace
     * @param name the lease's name
     * @param identity names this process for people; what makes it unique is added
     */
    public Lease(Api api, String namespace, String name, String identity) {
        this(api, namespace, name, identity, Duration.ofSeconds(15), Duration.ofSeconds(2));
    }

    /**
     * A lease.
     *
     * @param api the cluster: what writes through it writes only while the lease is held, so each lease has one of its own
     * @param namespace the lease's namespace
     * @param name the lease's name
     * @param identity names this process for people; what makes it unique is added
     * @param duration after this time without a renewal another process may take the lease; whole seconds
     * @param retry the wait between two tries
     */
    public Lease(Api api, String namespace, String name, String identity, Duration duration, Duration retry) {
        this.api = api;
        this.namespace = namespace;
        this.name = name;
        // Two processes may have the same host name and pid.
        this.identity = identity + "_" + UUID.randomUUID();
        this.duration = duration;
        this.retry = retry;
    }

    /**
     * Waits for the lease, and works while it is held. The work has a thread of its own, and must begin nothing new when that is interrupted:
     * the caller was interrupted, and what has begun has until the end of the term, or the lease was lost.
     *
     * @param work what is done meanwhile
     * @throws InterruptedException the thread was interrupted, and the work has ended
     * @throws LeaseLostException the lease was lost, or the work did not end in time; its writes were cut off
     */
    public void hold(Runnable work) throws InterruptedException {
        OptionalLong until = taken();
        while (until.isEmpty()) {
            Thread.sleep(retry.toMillis());
            until = taken();
        }
        Term term = new Term(until.getAsLong());
        api.begin(term);
        AtomicReference<@Nullable Throwable> thrown = new AtomicReference<>();
        Thread worker = new Thread(
                () -> {
                    try {
                        work.run();
                    } catch (RuntimeException | Error e) {
                        thrown.set(e);
                    } finally {
                        term.finish();
                    }
                },
                "holder of " + name);
        worker.setDaemon(true);
        worker.start();
        boolean stopped;
        try {
            stopped = keep(worker, term);
        } catch (RuntimeException | Error e) {
            term.end();
            worker.interrupt();
            Threads.join(worker, duration); // it writes nothing any more
            throw e;
        }
        term.end();
        if (!term.leavesWrites()) {
            release();
        }
        Throwable error = thrown.get();
        if (error instanceof Error broken) {
            throw broken;
        }
        if (error instanceof RuntimeException broken) {
            throw broken;
        }
        if (stopped) {
            throw new InterruptedException();
        }
    }

    /**
     * Renews the lease until the work has ended, and reports whether the caller was interrupted meanwhile. After that it is not renewed: what has
     * begun has until the end of the term.
     */
    private boolean keep(Thread worker, Term term) {
        boolean stopped = false;
        while (true) {
            try {
                worker.join(Math.max(Math.min(retry.toMillis(), term.left() / 1_000_000), 1));
            } catch (InterruptedException e) {
                stopped = true;
                worker.interrupt();
            }
            if (!worker.isAlive()) {
                return stopped;
            }
            if (!stopped && term.holds()) {
                renewed(term).ifPresent(term::renew);
            }
            if (!term.holds()) {
                throw new LeaseLostException("the lease " + name
                        + (stopped ? ": the work did not end within the term" : " was not renewed in time"));
            }
        }
    }

    private OptionalLong taken() {
        return taken(false, duration);
    }

    private OptionalLong renewed(Term term) {
        return taken(true, Duration.ofNanos(Math.max(term.left(), 1_000_000)));
    }

    /**
     * Takes or renews the lease, and returns when the term ends; empty if it was not possible. LeaseLostException: while it was ours, somebody
     * gave it away without asking us.
     */
    private OptionalLong taken(boolean renews, Duration left) {
        long sent = System.nanoTime();
        try {
            boolean ours = write(renews, left);
            return ours ? OptionalLong.of(sent + duration.toNanos() / 10 * 9) : OptionalLong.empty();
        } catch (LeaseLostException e) {
            throw e;
        } catch (RuntimeException e) { // no answer, or one that is no lease
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
        } catch (RuntimeException e) {
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
            api.sendForLease(method, path, contentType, Body.encode(body), left);
            return true;
        } catch (ApiException e) {
            if (e.status() == ApiException.CONFLICT) {
                return false;
            }
            throw e;
        }
    }
}
