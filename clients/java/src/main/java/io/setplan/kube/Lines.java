package io.setplan.kube;

import com.google.protobuf.ByteString;
import io.fabric8.kubernetes.client.http.AsyncBody;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The lines of an answer while it comes. One chunk is asked for at a time, so a slow reader holds little. */
final class Lines implements AsyncBody.Consumer<List<ByteBuffer>> {
    // Nothing stands for the end.
    private final BlockingQueue<Optional<ByteString>> chunks = new LinkedBlockingQueue<>();
    private volatile @Nullable Throwable cutOff;
    private ByteString rest = ByteString.EMPTY;

    @Override
    public void consume(List<ByteBuffer> buffers, AsyncBody body) {
        ByteString bytes = ByteString.EMPTY;
        for (ByteBuffer buffer : buffers) {
            bytes = bytes.concat(ByteString.copyFrom(buffer));
        }
        chunks.add(Optional.of(bytes));
    }

    /** Reads to the end; {@code silence} is how long nothing may come. UnavailableException: it was cut off, or the thread interrupted. */
    void read(AsyncBody body, Duration silence, Consumer<byte[]> line) {
        var unused = body.done().whenComplete((nothing, error) -> {
            cutOff = error;
            chunks.add(Optional.empty());
        });
        try {
            while (true) {
                body.consume();
                Optional<ByteString> chunk = chunks.poll(silence.toMillis(), TimeUnit.MILLISECONDS);
                if (chunk == null) {
                    throw new UnavailableException("the watch is silent", new TimeoutException());
                }
                if (chunk.isEmpty()) {
                    ended(line);
                    return;
                }
                split(chunk.get(), line);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new UnavailableException("the watch was interrupted", e);
        } finally {
            body.cancel();
        }
    }

    private void ended(Consumer<byte[]> line) {
        Throwable error = cutOff;
        if (error != null) {
            throw new UnavailableException("the API server went away", error);
        }
        if (!rest.isEmpty()) {
            line.accept(rest.toByteArray());
        }
    }

    private void split(ByteString bytes, Consumer<byte[]> line) {
        int begin = 0;
        for (int i = 0; i < bytes.size(); i++) {
            if (bytes.byteAt(i) == '\n') {
                byte[] whole = rest.concat(bytes.substring(begin, i)).toByteArray();
                rest = ByteString.EMPTY;
                begin = i + 1;
                line.accept(whole);
            }
        }
        rest = rest.concat(bytes.substring(begin));
    }
}
