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

// goodRequestID is what we take over from a caller: short, and harmless in a log.
var goodRequestID = regexp.MustCompile(`^[A-Za-z0-9._:-]{1,64}$`)

type requestIDKey struct{}

// withRequestID takes the caller's request id or makes one, and sends it back in the header.
func withRequestID(ctx context.Context, request any, _ *grpc.UnaryServerInfo, next grpc.UnaryHandler) (any, error) {
	id := ""
	if values := metadata.ValueFromIncomingContext(ctx, requestIDHeader); len(values) == 1 {
		id = values[0]
	}
	if !goodRequestID.MatchString(id) {
		id = rand.Text()
	}
	ctx = context.WithValue(ctx, requestIDKey{}, id)
	// Fails only when a header was sent already, which no outer interceptor does; the call goes on without it.
	_ = grpc.SetHeader(ctx, metadata.Pairs(requestIDHeader, id))
	return next(ctx, request)
}

// requestID is the id of the call at hand; a new one where there is none, as in an embedded planner.
func requestID(ctx context.Context) string {
	if id, ok := ctx.Value(requestIDKey{}).(string); ok {
		return id
	}
	return rand.Text()
}
