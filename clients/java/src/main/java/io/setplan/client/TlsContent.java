package io.setplan.client;

import io.grpc.ChannelCredentials;
import io.grpc.TlsChannelCredentials;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * What the files of a protected connection hold.
 *
 * @param text all of it, to tell whether anything has changed
 * @param credentials gRPC's form of it
 */
record TlsContent(String text, ChannelCredentials credentials) {
    /**
     * Reads the files.
     *
     * @throws IllegalArgumentException one cannot be read or used, for example in the middle of a replacement
     */
    static TlsContent read(TlsFiles files) {
        byte @Nullable [] ca = bytes(files.ca());
        byte @Nullable [] certificate = bytes(files.certificate());
        byte @Nullable [] key = bytes(files.key());
        TlsChannelCredentials.Builder credentials = TlsChannelCredentials.newBuilder();
        try {
            if (ca != null) {
                certificate(files.ca(), ca);
                credentials.trustManager(new ByteArrayInputStream(ca));
            }
            if (certificate != null && key != null) {
                KeyPairs.check(certificate(files.certificate(), certificate).getPublicKey(), key);
                credentials.keyManager(new ByteArrayInputStream(certificate), new ByteArrayInputStream(key));
            }
        } catch (IOException e) {
            throw new IllegalArgumentException("the certificates cannot be used: " + e.getMessage(), e);
        }
        return new TlsContent(text(ca) + "\0" + text(certificate) + "\0" + text(key), credentials.build());
    }

    /** Says which versions of the files are there: a change of a file changes it, a symbolic link that moves on included. */
    static String stamp(TlsFiles files) {
        List<String> stamps = new ArrayList<>();
        for (Path file : new @Nullable Path[] {files.ca(), files.certificate(), files.key()}) {
            stamps.add(file == null ? "" : stamp(file));
        }
        return stamps.toString();
    }

    private static String stamp(Path file) {
        try {
            BasicFileAttributes now = Files.readAttributes(file, BasicFileAttributes.class);
            return now.lastModifiedTime() + " " + now.fileKey() + " " + now.size();
        } catch (IOException e) {
            return "missing"; // while it is replaced; the connection that is there goes on
        }
    }

    private static byte @Nullable [] bytes(@Nullable Path file) {
        try {
            return file == null ? null : Files.readAllBytes(file);
        } catch (IOException e) {
            throw new IllegalArgumentException("the file " + file + " cannot be read: " + e, e);
        }
    }

    private static String text(byte @Nullable [] pem) {
        return pem == null ? "" : new String(pem, StandardCharsets.ISO_8859_1);
    }

    private static X509Certificate certificate(@Nullable Path file, byte[] pem) {
        try {
            return (X509Certificate) CertificateFactory.getInstance("X.509")
                    .generateCertificates(new ByteArrayInputStream(pem))
                    .iterator()
                    .next();
        } catch (CertificateException | NoSuchElementException e) {
            throw new IllegalArgumentException("the file " + file + " holds no certificate", e);
        }
    }
}
