package io.setplan.client;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** How a client connects. One of {@link #tls} and {@link #insecure} is required. */
public final class ClientBuilder {
    /** The deadline of a call without one, retries included. */
    public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(10);

    /** Bounds a request and a response, in bytes; it is the server's default. */
    public static final int DEFAULT_MAX_MESSAGE_BYTES = 64 << 20;

    private final String target;
    private @Nullable TlsFiles tls;
    private boolean insecure;
    private Duration timeout = DEFAULT_TIMEOUT;
    private int maxMessageBytes = DEFAULT_MAX_MESSAGE_BYTES;
    private String userAgent = "";

    ClientBuilder(String target) {
        this.target = target;
    }

    /**
     * The files of a protected connection.
     *
     * @param files the files
     * @return this
     */
    public ClientBuilder tls(TlsFiles files) {
        this.tls = files;
        return this;
    }

    /**
     * Without TLS, for a planner on the same machine: snapshots and plans hold pod templates, and those hold secrets.
     *
     * @return this
     */
    public ClientBuilder insecure() {
        this.insecure = true;
        return this;
    }

    /**
     * The deadline of a call, retries included. {@link #DEFAULT_TIMEOUT} without it.
     *
     * @param timeout how long
     * @return this
     */
    public ClientBuilder timeout(Duration timeout) {
        this.timeout = timeout;
        return this;
    }

    /**
     * Bounds a request and a plan, in bytes. {@link #DEFAULT_MAX_MESSAGE_BYTES} without it.
     *
     * @param bytes how many
     * @return this
     */
    public ClientBuilder maxMessageBytes(int bytes) {
        this.maxMessageBytes = bytes;
        return this;
    }

    /**
     * Names the program, in front of this library's name.
     *
     * @param name such as {@code my-operator/1.2}
     * @return this
     */
    public ClientBuilder userAgent(String name) {
        this.userAgent = name;
        return this;
    }

    /**
     * Checks the options and reads the files. The first call connects.
     *
     * @return what was asked for
     * @throws IllegalArgumentException an option is wrong, or a file cannot be used
     */
    public Client build() {
        if (target.isEmpty()) {
            throw new IllegalArgumentException("no target");
        }
        if ((tls == null) != insecure) {
            throw new IllegalArgumentException("choose how the connection is protected: "
                    + "tls(new TlsFiles(ca, certificate, key)), or insecure() for a planner on the same machine");
        }
        if (timeout.isNegative() || timeout.isZero()) {
            throw new IllegalArgumentException("the timeout is " + timeout + ", must be positive");
        }
        if (maxMessageBytes <= 0) {
            throw new IllegalArgumentException(
                    "the limit of messages is " + maxMessageBytes + " bytes, must be positive");
        }
        return new Client(new Settings(target, tls, timeout, maxMessageBytes, userAgent));
    }
}
