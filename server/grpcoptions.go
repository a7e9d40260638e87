package server

import (
	"runtime"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/keepalive"
)

// The limits of a connection.
const (
	// maxStreams bounds the calls in flight on one connection. A client holds back further calls until one ends.
	maxStreams = 32
	// window is how many bytes of a request may be under way before there is room for it: the snapshot of 1,000 pods. With
	// maxCalls open calls that is 64 MiB. Once there is room for a larger request, gRPC widens its window. A static window
	// also saves the pings by which gRPC otherwise measures the network in every call.
	window = 256 << 10
	// connectionWindow is the same for a connection. gRPC gives it back whether or not anybody reads, so it bounds nothing.
	connectionWindow = 4 << 20
	// maxReadByGRPC is for requests of health and reflection, which gRPC itself reads.
	maxReadByGRPC = 64 << 10
	// maxHeaderBytes is ample for a request id and a token. gRPC decodes headers before anybody can count the call.
	maxHeaderBytes = 16 << 10
	// handshakeTimeout ends a connection that never becomes one.
	handshakeTimeout = 10 * time.Second
	// maxConnectionIdle ends connections that nobody uses; a client makes a new one when it needs it.
	maxConnectionIdle = 5 * time.Minute
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

func grpcOptions(c Config, files *certificates, a *admission) []grpc.ServerOption {
	return []grpc.ServerOption{
		grpc.Creds(transport(c.Log, files, a)),
		grpc.ForceServerCodecV2(newWireCodec()),
		grpc.InTapHandle(a.tapped),
		grpc.MaxRecvMsgSize(maxReadByGRPC),
		grpc.MaxConcurrentStreams(maxStreams),
		grpc.StaticStreamWindowSize(window),
		grpc.StaticConnWindowSize(connectionWindow),
		grpc.NumStreamWorkers(uint32(runtime.GOMAXPROCS(0))), // they keep their grown stacks; calls beyond get new ones
		grpc.MaxHeaderListSize(maxHeaderBytes),
		grpc.ConnectionTimeout(handshakeTimeout),
		grpc.KeepaliveEnforcementPolicy(keepalive.EnforcementPolicy{MinTime: minClientPing, PermitWithoutStream: true}),
		grpc.KeepaliveParams(keepalive.ServerParameters{
			MaxConnectionIdle:     maxConnectionIdle,
			MaxConnectionAge:      maxConnectionAge,
			MaxConnectionAgeGrace: connectionGrace,
			Time:                  pingAfter,
			Timeout:               pingTimeout,
		}),
	}
}
