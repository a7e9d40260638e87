package io.setplan.testing;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.setplan.kube.Api;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.function.Function;

/** An API server that does what a test says. */
public final class ApiServer implements AutoCloseable {
    /** What has been asked. */
    public final List<Asked> asked = new CopyOnWriteArrayList<>();

    /** The server, as a caller sees it. */
    public final Api api;

    private final HttpServer server;
    private final Function<Asked, Answer> answer;

    /** A request. */
    public record Asked(String method, String url, String type, String body) {}

    /** What comes back: a code and a body; the code {@link #CUT_OFF} closes the connection, and {@link #HANG} says nothing. */
    public record Answer(int status, String body) {
        public static final int CUT_OFF = -1;
        public static final int HANG = -2;
    }

    public ApiServer(Function<Asked, Answer> answer) {
        this.answer = answer;
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.createContext("/", this::handle);
        server.setExecutor(Executors.newCachedThreadPool(task -> {
            Thread thread = new Thread(task, "API server");
            thread.setDaemon(true);
            return thread;
        }));
        server.start();
        api = new Api(new KubernetesClientBuilder()
                .withConfig(new ConfigBuilder()
                        .withMasterUrl("http://127.0.0.1:" + server.getAddress().getPort())
                        .withOauthToken("secret")
                        .build())
                .build());
    }

    private void handle(HttpExchange exchange) throws IOException {
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        Asked request = new Asked(
                exchange.getRequestMethod(),
                exchange.getRequestURI().toString(),
                String.valueOf(exchange.getRequestHeaders().getFirst("Content-Type")),
                body);
        asked.add(request);
        Answer told = answer.apply(request);
        if (told.status == Answer.HANG) {
            return;
        }
        if (told.status != Answer.CUT_OFF) {
            byte[] bytes = told.body.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(told.status, bytes.length == 0 ? -1 : bytes.length);
            exchange.getResponseBody().write(bytes);
        }
        exchange.close();
    }

    @Override
    public void close() {
        api.close();
        server.stop(0);
    }
}
