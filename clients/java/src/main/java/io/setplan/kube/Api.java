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
import java.util.function.Consumer;

/** One cluster, with bytes in both directions: nothing is parsed on the way to a snapshot or from a manifest. */
public final class Api implements AutoCloseable {
    /** The field manager of all writes. */
    static final String MANAGER = "setplan-adapter";

    /** Limits a request that says nothing else. */
    static final Duration TIMEOUT = Duration.ofSeconds(30);

    static final String JSON = "application/json";

    private static final Duration WATCH = Duration.ofMinutes(4); // then the next begins where it ended
    private static final int ERRORS = 400;

    private final KubernetesClient client;
    private final HttpClient http;
    private final String server;

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
        return whole(request(path, limit), limit);
    }

    /**
     * Writes once: the bytes are sent as they are, and nothing is sent again (A9, A12).
     *
     * @param method of HTTP
     * @param path the path
     * @param contentType of the body
     * @param body what is sent
     * @param limit how long it may take
     * @return what the API server made of it
     * @throws ApiException refused
     * @throws UnavailableException no answer, or the thread was interrupted: whether it was carried out is not known
     */
    public Raw send(String method, String path, String contentType, byte[] body, Duration limit) {
        String parameters = method.equals("DELETE") ? "" : "?fieldManager=" + MANAGER;
        HttpRequest.Builder request = request(path + parameters, limit)
                .method(method, contentType, new ByteArrayInputStream(body), body.length);
        return whole(request, limit);
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
        HttpResponse<AsyncBody> response = answer(http.consumeBytes(request, lines), TIMEOUT);
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

    private Raw whole(HttpRequest.Builder request, Duration limit) {
        HttpResponse<byte[]> response = answer(http.sendAsync(request.build(), byte[].class), limit);
        if (response.code() >= ERRORS) {
            throw ApiException.of(response.code(), response.body());
        }
        return Raw.parse(response.body());
    }

    private static <T> T answer(CompletableFuture<T> coming, Duration limit) {
        try {
            return coming.get(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            coming.cancel(true);
            Thread.currentThread().interrupt();
            throw new UnavailableException("the request was interrupted", e);
        } catch (TimeoutException e) {
            coming.cancel(true);
            throw new UnavailableException("no answer from the API server within " + limit.toMillis() + " ms", e);
        } catch (ExecutionException e) {
            throw new UnavailableException("no answer from the API server", e.getCause() == null ? e : e.getCause());
        }
    }
}
