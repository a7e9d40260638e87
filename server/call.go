package server

import (
	"context"
	"crypto/rand"
)

// call is what is known of one call of the planner. It is in the call's context from the tap on, because gRPC hands nothing
// else from one link of the chain to the next.
type call struct {
	cancel  context.CancelFunc // ends it while it is read
	id      string             // joins the caller's log to ours
	summary summary            // for the line in the log: about its request and its plan
}

type callKey struct{}

// callOf is the call at hand; nil in an embedded planner, whose calls come from no network and have no line in the log.
func callOf(ctx context.Context) *call {
	c, _ := ctx.Value(callKey{}).(*call)
	return c
}

// requestID is the id of the call at hand; a new one where there is none.
func requestID(ctx context.Context) string {
	if c := callOf(ctx); c != nil {
		return c.id
	}
	return rand.Text()
}
