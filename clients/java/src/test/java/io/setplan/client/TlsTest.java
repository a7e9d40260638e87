package io.setplan.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.rpc.Code;
import io.grpc.ManagedChannel;
import io.setplan.client.Servers.Running;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Certificates are checked, and read again when they change. */
class TlsTest {
    @TempDir
    Path here;

    private Path ours;
    private Authority first;
    private Authority second;
    private TlsFiles files;

    @BeforeEach
    void sign() throws Exception {
        ours = Files.createDirectory(here.resolve("client"));
        first = new Authority(here, "first");
        second = new Authority(here, "second");
        first.write(ours, "operator");
        files = new TlsFiles(ours.resolve("ca.crt"), ours.resolve("operator.crt"), ours.resolve("operator.key"));
    }

    @Test
    void certificatesAreReadAgain() throws Exception {
        // A server with another authority takes the place of the first; the client gets new files, and needs no
        // restart.
        Running running = mutual("127.0.0.1:0", first);
        try (Planner planner = Planner.connect(running.address(), files)) {
            assertFalse(planner.serverInfo().getVersion().isEmpty());
            running.close();
            running = mutual(running.address(), second);
            PlannerException error = assertThrows(PlannerException.class, planner::serverInfo);
            assertEquals(Code.UNAVAILABLE, error.code());
            second.write(ours, "operator");
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
    void aServerWithoutACertificateOfTheAuthorityIsNotAsked() throws Exception {
        try (Running running = mutual("127.0.0.1:0", second);
                Planner planner = Planner.connect(running.address(), files)) {
            assertThrows(PlannerException.class, planner::serverInfo);
        }
    }

    @Test
    void anOldChannelEndsWithItsLastCall() throws Exception {
        try (Connection connection = new Connection("localhost:1", new TlsFiles(files.ca()))) {
            ManagedChannel old = connection.channel();
            Files.setLastModifiedTime(files.ca(), FileTime.fromMillis(0));
            second.write(ours, "operator");
            assertNotSame(old, connection.channel());
            assertTrue(old.isShutdown());
            assertSame(connection.channel(), connection.channel());
        }
    }

    @Test
    void filesThatCannotBeUsed() throws Exception {
        Path none = here.resolve("none");
        Path empty = Files.createFile(here.resolve("empty"));
        Map<TlsFiles, String> wrong = Map.of(
                new TlsFiles(none), "none",
                new TlsFiles(empty), "empty",
                new TlsFiles(null, files.certificate(), none), "none",
                new TlsFiles(null, files.certificate(), empty), "empty",
                new TlsFiles(null, empty, files.key()), "empty");
        wrong.forEach((tls, name) -> {
            Exception error = assertThrows(
                    IllegalArgumentException.class, () -> Planner.connect("localhost:1", tls), tls.toString());
            assertTrue(error.getMessage().contains(name), error.toString());
        });
        assertThrows(IllegalArgumentException.class, () -> new TlsFiles(null, files.certificate(), null));
    }

    private Running mutual(String address, Authority authority) throws Exception {
        authority.write(here, "planner");
        return Servers.plannerAt(
                address,
                "--tls-cert-file=" + here.resolve("planner.crt"),
                "--tls-key-file=" + here.resolve("planner.key"),
                "--client-ca-file=" + here.resolve("ca.crt"));
    }
}
