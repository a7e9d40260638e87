package server

import (
	"errors"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/setplan/setplan/server/access"
	"github.com/setplan/setplan/server/statuses"
	"github.com/setplan/setplan/server/tokens"
)

// overloadRetryDelay is when a caller whose call was shed should try again.
const overloadRetryDelay = time.Second

// overLimit counts a call beyond its cluster's limits, and returns its status. To the caller it is the same as an overloaded server: nothing
// is wrong with the request, and later it will be served.
func (a *admission) overLimit(e *access.Exceeded) error {
	a.metrics.shed.WithLabelValues(shedLimit).Inc()
	return raise(statuses.Overloaded(e.Error()+"; try again later", e.Limit, e.After))
}

// unchecked is the status of a call whose token is not accepted, or cannot be checked now: nobody is served unchecked, and the caller may
// come again.
func (a *admission) unchecked(err error) error {
	if refused := (*tokens.Refused)(nil); errors.As(err, &refused) {
		return badToken(refused)
	}
	if status.Code(err) != codes.Unknown { // it is a status already
		return err
	}
	return a.shedWith(shedReview, "the server cannot check tokens now; try again later")
}

// otherCluster is the status of a call on a connection on which another cluster has a call: a connection is one cluster's at a time.
func (a *admission) otherCluster() error {
	return a.shedWith(shedLimit, "another cluster has calls on this connection; try again later")
}

// shed counts a call that the server has no room for, and returns its status.
func (a *admission) shed(reason string) error {
	return a.shedWith(reason, "the server is overloaded; try again later")
}

func (a *admission) shedWith(reason, message string) error {
	a.metrics.shed.WithLabelValues(reason).Inc()
	return raise(statuses.Overloaded(message, "", overloadRetryDelay))
}
