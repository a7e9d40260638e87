package server

import (
	"context"
	"crypto/rand"

	"github.com/setplan/setplan/server/access"
)

// call is the context of one call of the planner, and what is known of the call. It exists from the tap on: gRPC hands only a context
// from one interceptor to the next.
type call struct {
	context.Context
	id      string          // joins the caller's log to ours
	cut     func()          // ends it; nil for a call that sends its answer at once
	summary summary         // for the line in the log: about its request and its plan
	cluster *access.Cluster // whose call it is; nil without a policy file
	account string          // the service account of its token; empty: it has none, or it is not checked yet
}

type callKey struct{}

// Value implements context.Context.
func (c *call) Value(key any) any {
	if key == (callKey{}) {
		return c
	}
	return c.Context.Value(key)
}

// callOf returns the current call; nil in an embedded planner, whose calls come from no network and are not logged.
func callOf(ctx context.Context) *call {
	c, _ := ctx.Value(callKey{}).(*call)
	return c
}

// requestID returns the id of the current call, or a new one if it has none.
func requestID(ctx context.Context) string {
	if c := callOf(ctx); c != nil {
		return c.id
	}
	return rand.Text()
}
