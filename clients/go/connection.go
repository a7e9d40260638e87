package setplan

import (
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/backoff"
	"google.golang.org/grpc/keepalive"
)

// serviceConfig spreads calls over all addresses, and retries only UNAVAILABLE: that means that a server has not looked at the
// request or is shutting down. Three waits of about 0.2, 0.6 and 1.8 s bridge the restart of a server. A planner changes nothing, so
// a retry is always safe.
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

// reconnect is quicker than gRPC's default, whose first wait is longer than all retries of a call.
var reconnect = grpc.ConnectParams{
	Backoff:           backoff.Config{BaseDelay: 100 * time.Millisecond, Multiplier: 1.6, Jitter: 0.2, MaxDelay: 5 * time.Second},
	MinConnectTimeout: 5 * time.Second,
}

// pings notice a dead server behind a silent network. The server allows one every 10 s.
var pings = keepalive.ClientParameters{Time: 30 * time.Second, Timeout: 10 * time.Second, PermitWithoutStream: true}

// window is how many unread bytes of plans may be under way: more than nearly every plan has, although the engine cuts plans only at
// 8 MiB of manifests. gRPC's default begins at 64 KiB and measures the network with pings in every call. With this window a plan is
// sent in one go.
const window = 4 << 20

// dialOptions returns the options for gRPC. The caller's come last, except for resolvers, of which gRPC takes the first that fits.
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
			grpc.MaxCallRecvMsgSize(s.maxAnswer()),
			// gRPC retries only what it still holds, by default 256 KiB: less than the snapshot of a large set.
			grpc.MaxRetryRPCBufferSize(s.maxMessageBytes+retryOverhead),
		),
	}, s.extra...)
	if s.token != "" {
		options = append(options, grpc.WithPerRPCCredentials(s.token))
	}
	return append(options, grpc.WithResolvers(s.names))
}

// maxAnswer is how many bytes an answer may have.
func (s *settings) maxAnswer() int { return min(s.maxMessageBytes, maxAnswerBytes) }

// retryOverhead is what gRPC counts in addition to the message: frame headers and metadata.
const retryOverhead = 64 << 10
