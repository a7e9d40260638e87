package setplan

import (
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/backoff"
	"google.golang.org/grpc/keepalive"
)

// serviceConfig spreads calls over all addresses, and retries UNAVAILABLE only: that is what a server says that never
// looked at the request, or is shutting down. Three waits of about 0.2, 0.6 and 1.8 s bridge the restart of a server.
// A planner changes nothing, so trying again is always safe.
const serviceConfig = `{
  "loadBalancingConfig": [{"round_robin": {}}],
  "methodConfig": [{
    "name": [{"service": "setplan.v1.PlannerService"}],
    "waitForReady": false,
    "retryPolicy": {
      "maxAttempts": 4,
      "initialBackoff": "0.2s",
      "maxBackoff": "2s",
      "backoffMultiplier": 3,
      "retryableStatusCodes": ["UNAVAILABLE"]
    }
  }]
}`

// reconnect is quicker than gRPC's default, whose first wait is longer than all retries of a call together.
var reconnect = grpc.ConnectParams{
	Backoff:           backoff.Config{BaseDelay: 100 * time.Millisecond, Multiplier: 1.6, Jitter: 0.2, MaxDelay: 5 * time.Second},
	MinConnectTimeout: 5 * time.Second,
}

// pings find a server that is gone behind a silent network. The server allows one every 10 s.
var pings = keepalive.ClientParameters{Time: 30 * time.Second, Timeout: 10 * time.Second, PermitWithoutStream: true}

// window is how many bytes of plans may be under way unread: more than one plan has, which the engine cuts at 8 MiB of
// manifests but nearly always far below. gRPC's default begins at 64 KiB and finds out, with pings in every call, what
// the network carries; with this it sends a plan in one go.
const window = 4 << 20

// dialOptions puts the settings together; those of the caller come last, but for resolvers, of which gRPC takes the first that fits.
func (s *settings) dialOptions() []grpc.DialOption {
	options := append([]grpc.DialOption{
		grpc.WithTransportCredentials(s.transport),
		grpc.WithDefaultServiceConfig(serviceConfig),
		// A name server must not be able to switch the retry policy or the balancing.
		grpc.WithDisableServiceConfig(),
		grpc.WithConnectParams(reconnect),
		grpc.WithKeepaliveParams(pings),
		grpc.WithStaticStreamWindowSize(window),
		grpc.WithStaticConnWindowSize(window),
		grpc.WithUserAgent(s.userAgent),
		grpc.WithDefaultCallOptions(
			grpc.ForceCodecV2(newWireCodec()),
			grpc.MaxCallSendMsgSize(s.maxMessageBytes),
			grpc.MaxCallRecvMsgSize(s.maxMessageBytes),
			// gRPC retries only what it still holds, 256 KiB by default: less than the snapshot of a large set.
			grpc.MaxRetryRPCBufferSize(s.maxMessageBytes+retryOverhead),
		),
	}, s.extra...)
	return append(options, grpc.WithResolvers(s.names))
}

// retryOverhead is what gRPC counts beside the message: frame headers and metadata.
const retryOverhead = 64 << 10
