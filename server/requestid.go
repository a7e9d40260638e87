package server

import (
	"context"
	"crypto/rand"
	"regexp"

	"google.golang.org/grpc"
	"google.golang.org/grpc/metadata"
)

// requestIDHeader carries the id that joins a caller's log to ours, both ways.
const requestIDHeader = "x-request-id"

// goodRequestID matches the ids that we accept from a caller: short, and harmless in a log.
var goodRequestID = regexp.MustCompile(`^[A-Za-z0-9._:-]{1,64}$`)

// withRequestID takes the caller's request id or makes one, and sends it back in the header.
func withRequestID(ctx context.Context, request any, _ *grpc.UnaryServerInfo, next grpc.UnaryHandler) (any, error) {
	c := callOf(ctx)
	if values := metadata.ValueFromIncomingContext(ctx, requestIDHeader); len(values) == 1 && goodRequestID.MatchString(values[0]) {
		c.id = values[0]
	} else {
		c.id = rand.Text()
	}
	// Fails only if a header was sent already, which no outer interceptor does. The call goes on without it.
	_ = grpc.SetHeader(ctx, metadata.Pairs(requestIDHeader, c.id))
	return next(ctx, request)
}
