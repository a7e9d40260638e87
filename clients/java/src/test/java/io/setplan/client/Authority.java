package io.setplan.client;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;

/** Signs certificates for 127.0.0.1, and writes them as PEM files. It needs openssl. */
final class Authority {
    private static final List<String> EC = List.of(
            "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "1");

    private final Path certificate;
    private final Path key;

    Authority(Path folder, String name) throws Exception {
        certificate = folder.resolve(name + "-ca.crt");
        key = folder.resolve(name + "-ca.key");
        openssl("-subj", "/CN=" + name, "-keyout", key.toString(), "-out", certificate.toString());
    }

    /** Writes ca.crt, and a certificate and a key of this name. */
    void write(Path folder, String name) throws Exception {
        Files.copy(certificate, folder.resolve("ca.crt"), StandardCopyOption.REPLACE_EXISTING);
        openssl(
                "-CA", certificate.toString(),
                "-CAkey", key.toString(),
                "-subj", "/CN=" + name,
                "-addext", "subjectAltName=IP:127.0.0.1,DNS:" + name,
                "-addext", "basicConstraints=critical,CA:FALSE",
                "-keyout", folder.resolve(name + ".key").toString(),
                "-out", folder.resolve(name + ".crt").toString());
    }

    private static void openssl(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(EC);
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes());
        if (process.waitFor() != 0) {
            throw new IOException(said);
        }
    }
}
