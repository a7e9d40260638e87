package io.setplan.kube;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.RequestConfigBuilder;
import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.setplan.rawjson.Raw;
import java.io.ByteArrayInputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One cluster, with bytes in both directions: nothing is parsed on the way to a snapshot or from a manifest. */
public final class Api implements AutoCloseable {
    /** The field manager of all writes. */
    static final String MANAGER = "setplan-adapter";

    /** Limits a request that says nothing else. */
    static final Duration TIMEOUT = Duration.ofSeconds(30);

    static final String JSON = "application/json";

    private static final Duration WATCH = Duration.ofMinutes(4); // then the next begins where it ended
    private static final int ERRORS = 400;
    private static final Duration LOOK_AT_TERM = Duration.ofMillis(100);

    private final KubernetesClient client;
    private final HttpClient http;
    private final String server;

    /** In which writes are sent; null where no lease was ever held with this. */
    private final AtomicReference<@Nullable Term> term = new AtomicReference<>();

    /**
     * Uses a client, and closes it in the end. Its retries are switched off here: nothing is sent again (A9).
     *
     * @param client the client
     */
    public Api(KubernetesClient client) {
        this.client = client;
        this.http = client.getHttpClient()
                .newBuilder()
                .tag(new RequestConfigBuilder(client.getConfiguration().getRequestConfig())
                        .withRequestRetryBackoffLimit(0)
                        .build())
                .build();
        this.server = client.getMasterUrl().toString().replaceAll("/$", "");
    }

    /**
     * Connects by {@code $KUBECONFIG} or {@code ~/.kube/config}, or as a pod by its service account. The first request connects.
     *
     * @return the cluster
     */
    public static Api connect() {
        return connect(Config.autoConfigure(null));
    }

    /**
     * Connects by a kubeconfig. The first request connects.
     *
     * @param kubeconfig the file
     * @return the cluster
     */
    public static Api connect(Path kubeconfig) {
        return connect(Config.fromKubeconfig(kubeconfig.toFile()));
    }

    private static Api connect(Config config) {
        // Watches and writes side by side have connections of their own, and do not wait for each other.
        Config own = new ConfigBuilder(config).withHttp2Disable(true).build();
        return new Api(new KubernetesClientBuilder().withConfig(own).build());
    }

    /** Ends all connections. */
    @Override
    public void close() {
        client.close();
    }

    /**
     * Reads.
     *
     * @param path the path
     * @return the value
     * @throws ApiException refused
     * @throws UnavailableException no answer, or the thread was interrupted
     */
    public Raw get(String path) {
        return get(path, TIMEOUT);
    }

    /** Reads, as {@link #get(String)} within a limit. */
    Raw get(String path, Duration limit) {
        return whole(request(path, limit), limit, null);
    }

    /**
     * Writes once: the bytes are sent as they are, and nothing is sent again (A9, A12). Where a {@link Lease} was made with this, only
     * while it is held.
     *
     * @param method of HTTP
     * @param path the path
     * @param contentType of the body
     * @param body what is sent
     * @param limit how long it may take
     * @return what the API server made of it
     * @throws ApiException refused
     * @throws UnavailableException no answer, or the thread was interrupted, or the lease was lost meanwhile: whether it was carried out is
     *     not known
     * @throws LeaseLostException the lease is not held, and nothing was sent
     */
    public Raw send(String method, String path, String contentType, byte[] body, Duration limit) {
        Term within = term.get();
        if (within == null) {
            return send(method, path, contentType, body, limit, null);
        }
        if (!within.holds()) {
            throw new LeaseLostException("nothing is written while the lease is not held");
        }
        try {
            return send(method, path, contentType, body, limit, within);
        } catch (UnavailableException e) {
            within.cutOff();
            throw e;
        }
    }

    /** Writes to a lease, whoever holds it. */
    Raw sendForLease(String method, String path, String contentType, byte[] body, Duration limit) {
        return send(method, path, contentType, body, limit, null);
    }

    /** Begins a term, after which nothing is written. IllegalStateException: the work of another one has not ended. */
    void begin(Term next) {
        Term before = term.get();
        if ((before != null && !before.isOver()) || !term.compareAndSet(before, next)) {
            throw new IllegalStateException("the work under another lease of this Api has not ended");
        }
    }

    private Raw send(
            String method, String path, String contentType, byte[] body, Duration limit, @Nullable Term within) {
        String parameters = method.equals("DELETE") ? "" : "?fieldManager=" + MANAGER;
        HttpRequest.Builder request = request(path + parameters, limit)
                .method(method, contentType, new ByteArrayInputStream(body), body.length);
        return whole(request, limit, within);
    }

    /**
     * Tells of events from a resource version on, until the API server ends that.
     *
     * @param path the path
     * @param version where to begin
     * @param told is told of each event
     * @throws ApiException refused
     * @throws UnavailableException the API server went away, or the thread was interrupted
     */
    public void watch(String path, String version, Consumer<Raw> told) {
        String parameters = "?watch=1&resourceVersion=%s&allowWatchBookmarks=true&timeoutSeconds=%d"
                .formatted(version, WATCH.toSeconds());
        Lines lines = new Lines();
        HttpRequest request =
                request(path + parameters, Duration.ZERO).forStreaming().build();
        HttpResponse<AsyncBody> response = answer(http.consumeBytes(request, lines), TIMEOUT, null);
        // It is silent for as long as nothing happens, but ends in time.
        lines.read(response.body(), WATCH.plus(TIMEOUT), line -> {
            if (response.code() >= ERRORS) {
                throw ApiException.of(response.code(), line);
            }
            told.accept(Raw.parse(line));
        });
        if (response.code() >= ERRORS) {
            throw ApiException.of(response.code(), new byte[0]);
        }
    }

    private HttpRequest.Builder request(String path, Duration limit) {
        HttpRequest.Builder request = http.newHttpRequestBuilder().uri(server + path);
        request.header("Accept", JSON);
        return request.timeout(limit.toMillis(), TimeUnit.MILLISECONDS);
    }

    private Raw whole(HttpRequest.Builder request, Duration limit, @Nullable Term within) {
        HttpResponse<byte[]> response = answer(http.sendAsync(request.build(), byte[].class), limit, within);
        if (response.code() >= ERRORS) {
            throw ApiException.of(response.code(), response.body());
        }
        return Raw.parse(response.body());
    }

    /** Waits for an answer, and no longer than the term. */
    private static <T> T answer(CompletableFuture<T> coming, Duration limit, @Nullable Term within) {
        long end = System.nanoTime() + limit.toNanos();
        try {
            while (true) {
                long left = Math.max(end - System.nanoTime(), 0);
                try {
                    return coming.get(
                            within == null ? left : Math.min(left, LOOK_AT_TERM.toNanos()), TimeUnit.NANOSECONDS);
                } catch (TimeoutException e) {
                    if (within != null && !within.holds()) {
                        coming.cancel(true);
                        throw new UnavailableException("the lease was lost before the API server answered", e);
                    }
                    if (System.nanoTime() - end >= 0) {
                        coming.cancel(true);
                        throw new UnavailableException(
                                "no answer from the API server within " + limit.toMillis() + " ms", e);
                    }
                }
            }
        } catch (InterruptedException e) {
            coming.cancel(true);
            Thread.currentThread().interrupt();
            throw new UnavailableException("the request was interrupted", e);
        } catch (ExecutionException e) {
            throw new UnavailableException("no answer from the API server", e.getCause() == null ? e : e.getCause());
        }
    }
}
