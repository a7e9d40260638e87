package io.setplan.client;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.setplan.testing.Authority;
import io.setplan.testing.Servers;
import io.setplan.testing.Servers.Planner;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Certificates are read again, and a connection with old ones ends with its last call. */
class TlsTest {
    @TempDir
    Path here;

    private Path ours;
    private Authority first;
    private Authority second;

    @BeforeEach
    void sign() throws Exception {
        ours = Files.createDirectory(here.resolve("client"));
        first = new Authority(here, "first");
        second = new Authority(here, "second");
        first.write(ours, "operator");
    }

    @Test
    void certificatesAreReadAgain() throws Exception {
        // A server with another authority takes the place of the first; the client gets new files, and needs no
        // restart.
        TlsFiles files =
                new TlsFiles(ours.resolve("ca.crt"), ours.resolve("operator.crt"), ours.resolve("operator.key"));
        Planner running = mutual("127.0.0.1:0", first);
        try (Client asking = Client.builder(running.address()).tls(files).build()) {
            assertFalse(asking.serverInfo().getVersion().isEmpty());
            running.close();
            running = mutual(running.address(), second);
            assertThrows(UnreachableException.class, asking::serverInfo);
            second.write(ours, "operator");
            assertFalse(asking.serverInfo().getVersion().isEmpty());
            // What was read goes on while files are replaced.
            byte[] key = Files.readAllBytes(ours.resolve("operator.key"));
            Files.write(ours.resolve("operator.key"), new byte[] {'x'});
            assertFalse(asking.serverInfo().getVersion().isEmpty());
            Files.copy(
                    here.resolve("planner.key"),
                    ours.resolve("operator.key"),
                    java.nio.file.StandardCopyOption.REPLACE_EXISTING);
            assertFalse(asking.serverInfo().getVersion().isEmpty());
            Files.write(ours.resolve("operator.key"), key);
            Files.delete(ours.resolve("ca.crt"));
            assertFalse(asking.serverInfo().getVersion().isEmpty());
        } finally {
            running.close();
        }
    }

    @Test
    void theOldChannelIsClosedWithItsLastCall() throws Exception {
        Path ca = ours.resolve("ca.crt");
        Channels channels = new Channels(
                new Settings("localhost:1", new TlsFiles(ca, null, null), Duration.ofSeconds(1), 1 << 20, ""));
        Channels.Lease one = channels.begin();
        Channels.Lease two = channels.begin();
        Files.setLastModifiedTime(ca, FileTime.fromMillis(0));
        Channels.Lease three = channels.begin();
        assertSame(one.channel(), three.channel(), "the file was touched and says the same");

        second.write(ours, "operator");
        Channels.Lease newest = channels.begin();
        assertNotSame(one.channel(), newest.channel());
        one.close();
        two.close();
        assertFalse(isClosed(three));
        three.close();
        assertTrue(isClosed(three));
        newest.close();
        assertFalse(isClosed(newest));
        first.write(ours, "operator");
        channels.begin();
        assertTrue(isClosed(newest), "nobody was on it");
        channels.close();
    }

    private static boolean isClosed(Channels.Lease lease) {
        return lease.channel().isShutdown();
    }

    private Planner mutual(String address, Authority authority) throws Exception {
        authority.write(here, "planner");
        return Servers.plannerAt(
                address,
                "--tls-cert-file=" + here.resolve("planner.crt"),
                "--tls-key-file=" + here.resolve("planner.key"),
                "--client-ca-file=" + here.resolve("ca.crt"));
    }
}
