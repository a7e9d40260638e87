package io.setplan.client;

import io.grpc.ManagedChannel;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Which channel a call uses: the newest. An old one, with other certificates, is closed when its last call has ended. */
final class Channels {
    private static final Logger LOG = LoggerFactory.getLogger(Client.class);

    private final Settings settings;
    private String stamp;
    private Held newest;

    /** Makes the first channel, which does no I/O on the network yet. */
    Channels(Settings settings) {
        this.settings = settings;
        this.stamp = settings.tls() == null ? "" : TlsContent.stamp(settings.tls());
        this.newest = held(settings.tls() == null ? null : TlsContent.read(settings.tls()));
    }

    /** A channel and how many calls are under way on it. */
    private static final class Held {
        final ManagedChannel channel;
        final Reconnect reconnect;
        final @Nullable TlsContent content;
        int calls;
        boolean retired;

        Held(ManagedChannel channel, @Nullable TlsContent content) {
            this.channel = channel;
            this.reconnect = new Reconnect(channel);
            this.content = content;
        }

        void closeUnused() {
            if (retired && calls == 0) {
                channel.shutdown();
            }
        }
    }

    /** One call's use of a channel. */
    interface Lease extends AutoCloseable {
        ManagedChannel channel();

        Reconnect reconnect();

        @Override
        void close();
    }

    /** Begins a call. */
    synchronized Lease begin() {
        renew();
        Held held = newest;
        held.calls++;
        return new Lease() {
            @Override
            public ManagedChannel channel() {
                return held.channel;
            }

            @Override
            public Reconnect reconnect() {
                return held.reconnect;
            }

            @Override
            public void close() {
                end(held);
            }
        };
    }

    /** Closes the newest channel, with all calls on it. */
    synchronized void close() {
        newest.channel.shutdownNow();
    }

    private synchronized void end(Held held) {
        held.calls--;
        held.closeUnused();
    }

    private void renew() {
        TlsFiles tls = settings.tls();
        if (tls == null) {
            return;
        }
        String now = TlsContent.stamp(tls);
        if (now.equals(stamp)) {
            return;
        }
        Held before = newest;
        try {
            TlsContent content = TlsContent.read(tls);
            if (before.content == null || !content.text().equals(before.content.text())) {
                newest = held(content);
            }
            stamp = now;
        } catch (IllegalArgumentException e) {
            LOG.warn("the certificates for {} were not read again: {}", settings.target(), e.getMessage());
            return;
        }
        before.retired = newest != before;
        before.closeUnused();
    }

    private Held held(@Nullable TlsContent content) {
        return new Held(settings.channel(content), content);
    }
}
