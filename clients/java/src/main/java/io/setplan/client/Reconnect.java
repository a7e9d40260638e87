package io.setplan.client;

import io.grpc.ClientStreamTracer;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;

/**
 * Connects again with each attempt of a call. By itself gRPC waits between two connections for up to two minutes, longer than
 * all retries of a call: a planner that is back would not be noticed.
 */
final class Reconnect extends ClientStreamTracer.Factory {
    private final ManagedChannel channel;

    Reconnect(ManagedChannel channel) {
        this.channel = channel;
    }

    @Override
    public ClientStreamTracer newClientStreamTracer(ClientStreamTracer.StreamInfo info, Metadata headers) {
        channel.resetConnectBackoff();
        return new ClientStreamTracer() {};
    }
}
