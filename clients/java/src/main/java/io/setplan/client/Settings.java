package io.setplan.client;

import io.grpc.ChannelCredentials;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The options of a client, checked, and how gRPC is told of them. */
record Settings(String target, @Nullable TlsFiles tls, Duration timeout, int maxMessageBytes, String userAgent) {
    private static final String OURS = "setplan-java/" + version();

    // Calls are spread over all addresses, and only UNAVAILABLE is retried: that means that a server has not looked at
    // the
    // request or is shutting down. Three waits of about 0.2, 0.6 and 1.8 s bridge the restart of a server. A planner
    // changes
    // nothing, so a retry is always safe. gRPC takes numbers of JSON, which are doubles.
    private static final Map<String, ?> SERVICE_CONFIG = Map.of(
            "loadBalancingConfig",
            List.of(Map.of("round_robin", Map.of())),
            "methodConfig",
            List.of(Map.of(
                    "name",
                    List.of(Map.of("service", "setplan.v1.PlannerService")),
                    "retryPolicy",
                    Map.of(
                            "maxAttempts",
                            4.0,
                            "initialBackoff",
                            "0.2s",
                            "maxBackoff",
                            "2s",
                            "backoffMultiplier",
                            3.0,
                            "retryableStatusCodes",
                            List.of("UNAVAILABLE")))));

    /** Makes a channel. IllegalArgumentException: the certificates cannot be used. */
    ManagedChannel channel(@Nullable TlsContent content) {
        ChannelCredentials credentials = content == null ? InsecureChannelCredentials.create() : content.credentials();
        return Grpc.newChannelBuilder(target, credentials)
                .defaultServiceConfig(SERVICE_CONFIG)
                // A name server must not be able to switch the retry policy or the balancing.
                .disableServiceConfigLookUp()
                .enableRetry()
                // gRPC retries only what it still holds, by default 1 MiB of a call and 16 MiB of all.
                .perRpcBufferLimit(Long.MAX_VALUE)
                .retryBufferSize(Long.MAX_VALUE)
                .maxInboundMessageSize(maxMessageBytes)
                .userAgent(userAgent.isEmpty() ? OURS : userAgent + " " + OURS)
                // Pings notice a dead server behind a silent network. The server allows one every 10 s.
                .keepAliveTime(30, TimeUnit.SECONDS)
                .keepAliveTimeout(10, TimeUnit.SECONDS)
                .keepAliveWithoutCalls(true)
                .build();
    }

    private static String version() {
        Properties properties = new Properties();
        try (InputStream in = Objects.requireNonNull(Settings.class.getResourceAsStream("version.properties"))) {
            properties.load(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return properties.getProperty("version", "unknown");
    }
}
