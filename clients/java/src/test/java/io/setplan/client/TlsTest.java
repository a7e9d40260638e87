package io.setplan.client;

import static org.junit.jupiter.api.Assertions.*;

import com.google.rpc.Code;
import io.grpc.ManagedChannel;
import io.setplan.client.Servers.Running;
import java.nio.file.*;
import java.nio.file.attribute.FileTime;
import java.util.*;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Certificates are checked, and read again when they change. */
class TlsTest {
    @TempDir
    Path first, second, ours;

    private TlsFiles files;

    @BeforeEach
    void sign() throws Exception {
        authority(first);
        authority(second);
        copy(first, ours);
        files = new TlsFiles(ours.resolve("ca.crt"), ours.resolve("tls.crt"), ours.resolve("tls.key"));
    }

    /** Makes an authority, and a certificate of it for a server and its clients at 127.0.0.1. */
    private static void authority(Path folder) throws Exception {
        String script = """
                new='openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 1'
                $new -subj /CN=ca -keyout ca.key -out ca.crt
                $new -subj /CN=one -CA ca.crt -CAkey ca.key -keyout tls.key -out tls.crt \\
                    -addext subjectAltName=IP:127.0.0.1,DNS:one -addext basicConstraints=critical,CA:FALSE
                """;
        ProcessBuilder shell = new ProcessBuilder("bash", "-euc", script).redirectErrorStream(true);
        Process process = shell.directory(folder.toFile()).start();
        String said = new String(process.getInputStream().readAllBytes());
        assertEquals(0, process.waitFor(), said);
    }

    private static void copy(Path from, Path to) throws Exception {
        for (String file : List.of("ca.crt", "tls.crt", "tls.key")) {
            Files.copy(from.resolve(file), to.resolve(file), StandardCopyOption.REPLACE_EXISTING);
        }
    }

    private static Running mutual(String address, Path folder) {
        return Servers.planner(
                "--listen-address=" + address,
                "--tls-cert-file=" + folder.resolve("tls.crt"),
                "--tls-key-file=" + folder.resolve("tls.key"),
                "--client-ca-file=" + folder.resolve("ca.crt"));
    }

    @Test
    void certificatesAreReadAgain() throws Exception {
        // A server with another authority takes the place of the first; the client gets new files, and no restart.
        Running running = mutual("127.0.0.1:0", first);
        try (Planner planner = Planner.connect(running.address(), files)) {
            assertFalse(planner.serverInfo().getVersion().isEmpty());
            running.close();
            running = mutual(running.address(), second);
            PlannerException error = assertThrows(PlannerException.class, planner::serverInfo);
            assertEquals(Code.UNAVAILABLE, error.code());
            copy(second, ours);
            assertFalse(planner.serverInfo().getVersion().isEmpty());
            // What was read goes on while files are replaced.
            Files.write(files.key(), new byte[] {'x'});
            assertFalse(planner.serverInfo().getVersion().isEmpty());
            Files.delete(files.ca());
            assertFalse(planner.serverInfo().getVersion().isEmpty());
        } finally {
            running.close();
        }
    }

    @Test
    void anOldChannelIsShutDown() throws Exception {
        try (Connection connection = new Connection("localhost:1", new TlsFiles(files.ca()))) {
            ManagedChannel old = connection.channel();
            assertSame(old, connection.channel());
            Files.setLastModifiedTime(files.ca(), FileTime.fromMillis(0));
            assertNotSame(old, connection.channel());
            assertTrue(old.isShutdown());
        }
    }

    @Test
    void filesThatCannotBeUsed() throws Exception {
        Path none = ours.resolve("none");
        Path empty = Files.createFile(ours.resolve("empty"));
        Map<TlsFiles, String> wrong = Map.of(
                new TlsFiles(none), "none",
                new TlsFiles(empty), "empty",
                new TlsFiles(null, files.certificate(), empty), "empty",
                new TlsFiles(null, empty, files.key()), "empty");
        wrong.forEach((tls, name) -> {
            Exception error =
                    assertThrows(IllegalArgumentException.class, () -> Planner.connect("localhost:1", tls), name);
            assertTrue(error.getMessage().contains(name), error.toString());
        });
        assertThrows(IllegalArgumentException.class, () -> new TlsFiles(null, files.certificate(), null));
    }
}
