package io.setplan.kube;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fabric8.kubernetes.client.http.AsyncBody;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Lines come whole, however an answer is cut into chunks. */
class LinesTest {
    private final Lines lines = new Lines();
    private final List<String> told = new ArrayList<>();

    /** An answer that comes in these chunks, and ends then, perhaps with an error. */
    private class Body implements AsyncBody {
        final CompletableFuture<Void> done = new CompletableFuture<>();
        final Iterator<String> chunks;
        final Throwable error;
        boolean cancelled;

        Body(Throwable error, String... chunks) {
            this.chunks = List.of(chunks).iterator();
            this.error = error;
        }

        @Override
        public void consume() {
            if (chunks.hasNext()) {
                lines.consume(List.of(ByteBuffer.wrap(chunks.next().getBytes(StandardCharsets.UTF_8))), this);
            } else if (error != null) {
                done.completeExceptionally(error);
            } else {
                done.complete(null);
            }
        }

        @Override
        public CompletableFuture<Void> done() {
            return done;
        }

        @Override
        public void cancel() {
            cancelled = true;
        }
    }

    private void read(Body body) {
        lines.read(body, Duration.ofSeconds(30), line -> told.add(new String(line, StandardCharsets.UTF_8)));
    }

    @Test
    void areWhole() {
        Body body = new Body(null, "a", "b\nc\n\nd", "e", "f\ng");
        read(body);
        assertEquals(List.of("ab", "c", "", "def", "g"), told);
        assertTrue(body.cancelled);
    }

    @Test
    void thatAreCutOffAreNoEnd() {
        Body body = new Body(new IOException("reset"), "a\nb");
        assertThrows(UnavailableException.class, () -> read(body));
        assertEquals(List.of("a"), told);
    }

    @Test
    void thatDoNotComeAreNotWaitedForForEver() {
        AsyncBody silent = new Body(null) {
            @Override
            public void consume() {}
        };
        assertThrows(UnavailableException.class, () -> lines.read(silent, Duration.ofMillis(10), line -> {}));
    }

    @Test
    void areNoLongerReadAfterAnInterrupt() {
        Thread.currentThread().interrupt();
        assertThrows(UnavailableException.class, () -> read(new Body(null, "a\n")));
        assertTrue(Thread.interrupted());
    }
}
