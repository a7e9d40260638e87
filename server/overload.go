package server

import (
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/types/known/durationpb"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
	"github.com/setplan/setplan/server/access"
)

// overloadRetryDelay is when a caller whose call was shed should try again.
const overloadRetryDelay = time.Second

// overLimit counts a call beyond its cluster's limits, and returns its status. To the caller it is the same as an overloaded server: nothing
// is wrong with the request, and later it will be served.
func (a *admission) overLimit(e *access.Exceeded) error {
	a.metrics.shed.WithLabelValues(shedLimit).Inc()
	return build(codes.ResourceExhausted, setplanv1.ErrorReason_ERROR_REASON_OVERLOADED, e.Error()+"; try again later",
		map[string]string{"limit": e.Limit}, &errdetails.RetryInfo{RetryDelay: durationpb.New(e.After)})
}

// shed counts a call that the server has no room for, and returns its status.
func (a *admission) shed(reason string) error {
	a.metrics.shed.WithLabelValues(reason).Inc()
	return build(codes.ResourceExhausted, setplanv1.ErrorReason_ERROR_REASON_OVERLOADED,
		"the server is overloaded; try again later", nil,
		&errdetails.RetryInfo{RetryDelay: durationpb.New(overloadRetryDelay)})
}
