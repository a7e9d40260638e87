package server

import (
	"runtime"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/keepalive"
)

// What a connection may do. Adapters keep one connection for days, so the numbers are about those that stop being
// useful, not about those that are idle.
const (
	// maxStreams bounds the calls in flight on one connection, and with them the memory that one caller can take.
	maxStreams = 100
	// window is how many bytes of snapshots may be under way unread, on a call and on a connection: the snapshot of
	// 20,000 pods. gRPC's default begins at 64 KiB and finds out, with pings in every call, what the network carries;
	// with this a snapshot is sent in one go. It is no memory until somebody sends.
	window = 4 << 20
	// maxHeaderBytes is ample for a request id and a token.
	maxHeaderBytes = 64 << 10
	// handshakeTimeout ends a connection that never becomes one.
	handshakeTimeout = 10 * time.Second
	// maxConnectionAge makes clients resolve the name again, and so find new servers. gRPC adds jitter of 10%.
	maxConnectionAge = 30 * time.Minute
	// connectionGrace lets calls on an aged connection end.
	connectionGrace = time.Minute
	// pingAfter and pingTimeout find dead peers behind a silent network.
	pingAfter   = time.Minute
	pingTimeout = 20 * time.Second
	// minClientPing is the shortest time between pings of a client, with or without calls.
	minClientPing = 10 * time.Second
)

func grpcOptions(c Config, files *certificates) []grpc.ServerOption {
	return []grpc.ServerOption{
		grpc.Creds(transport(c.Log, files)),
		grpc.ForceServerCodecV2(newWireCodec(c.Limits)),
		grpc.MaxRecvMsgSize(transportFactor * c.Limits.MaxMessageBytes),
		grpc.MaxConcurrentStreams(maxStreams),
		grpc.StaticStreamWindowSize(window),
		grpc.StaticConnWindowSize(window),
		grpc.NumStreamWorkers(uint32(runtime.GOMAXPROCS(0))), // they keep their grown stacks; calls beyond get new ones
		grpc.MaxHeaderListSize(maxHeaderBytes),
		grpc.ConnectionTimeout(handshakeTimeout),
		grpc.KeepaliveEnforcementPolicy(keepalive.EnforcementPolicy{MinTime: minClientPing, PermitWithoutStream: true}),
		grpc.KeepaliveParams(keepalive.ServerParameters{
			MaxConnectionAge:      maxConnectionAge,
			MaxConnectionAgeGrace: connectionGrace,
			Time:                  pingAfter,
			Timeout:               pingTimeout,
		}),
	}
}
