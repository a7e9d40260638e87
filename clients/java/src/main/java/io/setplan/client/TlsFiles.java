package io.setplan.client;

import java.nio.file.Path;

/**
 * PEM files for TLS, and for mutual TLS with a certificate of the client's own.
 *
 * <p>They are looked at before each call. When one has changed, calls that begin from then on use a new connection, and
 * those under way end on the old one: a rotated certificate needs no restart.
 *
 * @param ca the authorities for the server's certificate; null for Java's own list
 * @param certificate the client's certificate, for a server that asks for one; null for none
 * @param key the key of the client's certificate, in PKCS #8; null for none
 */
public record TlsFiles(Path ca, Path certificate, Path key) {
    /**
     * Names the files.
     *
     * @throws IllegalArgumentException there is a certificate without a key, or a key without a certificate
     */
    public TlsFiles {
        if ((certificate == null) != (key == null)) {
            throw new IllegalArgumentException("a client certificate needs both a certificate file and a key file");
        }
    }

    /**
     * TLS without a certificate of the client's own.
     *
     * @param ca the authorities for the server's certificate; null for Java's own list
     */
    public TlsFiles(Path ca) {
        this(ca, null, null);
    }
}
