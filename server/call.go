package server

import (
	"context"
	"crypto/rand"
)

// call is the context of one call of the planner, and what is known of it. It is there from the tap on, because gRPC hands nothing
// but a context from one link of the chain to the next.
type call struct {
	context.Context
	id      string  // joins the caller's log to ours
	summary summary // for the line in the log: about its request and its plan
}

type callKey struct{}

// Value implements context.Context.
func (c *call) Value(key any) any {
	if key == (callKey{}) {
		return c
	}
	return c.Context.Value(key)
}

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
