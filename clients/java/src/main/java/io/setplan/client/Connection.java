package io.setplan.client;

import io.grpc.ChannelCredentials;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.TlsChannelCredentials;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The channel of a planner. A new one takes its place when a file of the certificates has changed. */
final class Connection implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(Planner.class.getName());
    static final String AGENT = "setplan-java/0.1.0"; // the version in pom.xml; a test compares

    private final String target;
    private final TlsFiles tls; // null: without TLS
    private String stamp;
    private ManagedChannel channel;
    private boolean closed;

    Connection(String target, TlsFiles tls) {
        this.target = target;
        this.tls = tls;
        this.stamp = stamp();
        this.channel = open();
    }

    /** Returns the channel for a call that begins now. A call that loses its channel before it begins is UNAVAILABLE, and retried. */
    synchronized ManagedChannel channel() {
        if (closed) {
            throw new IllegalStateException("the planner is closed");
        }
        String now = stamp();
        if (!now.equals(stamp)) {
            try {
                ManagedChannel renewed = open();
                channel.shutdown(); // once the calls that are under way have ended
                channel = renewed;
                stamp = now;
            } catch (IllegalArgumentException e) {
                LOG.log(System.Logger.Level.WARNING, "the old certificates stay in use: {0}", e.getMessage());
            }
        }
        return channel;
    }

    @Override
    public synchronized void close() {
        closed = true;
        channel.shutdownNow();
    }

    /** Makes a channel, which does no I/O on the network yet. */
    private ManagedChannel open() {
        ManagedChannelBuilder<?> channel;
        try {
            channel = Grpc.newChannelBuilder(target, credentials());
        } catch (IOException | CertificateException | IllegalArgumentException e) {
            String with = tls == null ? "" : " with " + tls;
            throw new IllegalArgumentException("cannot connect to %s%s: %s".formatted(target, with, e), e);
        }
        return channel.defaultLoadBalancingPolicy("round_robin") // all addresses of a name are used
                .disableServiceConfigLookUp() // a name server decides nothing
                .disableRetry() // Planner retries
                .maxInboundMessageSize(24 << 20) // no plan is longer, and an answer is input from outside
                .userAgent(AGENT)
                // Pings notice a dead server behind a silent network. The server allows one every 10 s.
                .keepAliveTime(30, TimeUnit.SECONDS)
                .keepAliveTimeout(10, TimeUnit.SECONDS)
                .keepAliveWithoutCalls(true)
                .build();
    }

    private ChannelCredentials credentials() throws IOException, CertificateException {
        if (tls == null) {
            return InsecureChannelCredentials.create();
        }
        TlsChannelCredentials.Builder credentials = TlsChannelCredentials.newBuilder();
        if (tls.ca() != null) {
            credentials.trustManager(certificates(tls.ca()));
        }
        if (tls.certificate() != null) {
            credentials.keyManager(
                    certificates(tls.certificate()), new ByteArrayInputStream(Files.readAllBytes(tls.key())));
        }
        return credentials.build();
    }

    /** Reads a file of certificates; gRPC would take one without any. */
    private static InputStream certificates(Path file) throws IOException, CertificateException {
        byte[] pem = Files.readAllBytes(file);
        if (CertificateFactory.getInstance("X.509")
                .generateCertificates(new ByteArrayInputStream(pem))
                .isEmpty()) {
            throw new IllegalArgumentException("there is no certificate in " + file);
        }
        return new ByteArrayInputStream(pem);
    }

    /** Says which versions of the files are there; a symbolic link that moves on is another one. */
    private String stamp() {
        List<String> stamps = new ArrayList<>();
        for (Path file : tls == null ? new Path[0] : new Path[] {tls.ca(), tls.certificate(), tls.key()}) {
            try {
                if (file != null) {
                    BasicFileAttributes now = Files.readAttributes(file, BasicFileAttributes.class);
                    stamps.add(now.lastModifiedTime() + " " + now.fileKey() + " " + now.size());
                }
            } catch (IOException e) {
                stamps.add("missing"); // while it is replaced
            }
        }
        return stamps.toString();
    }
}
