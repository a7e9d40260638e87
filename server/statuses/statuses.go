// Package statuses builds every status that a caller can see, over a network or without. It imports no gRPC: a planner in somebody's process says the same.
// No message holds bytes of a template.
package statuses

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"google.golang.org/genproto/googleapis/rpc/code"
	"google.golang.org/genproto/googleapis/rpc/errdetails"
	spb "google.golang.org/genproto/googleapis/rpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/anypb"
	"google.golang.org/protobuf/types/known/durationpb"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
	"github.com/setplan/setplan/server/codec"
)

// domain is the domain in every ErrorInfo.
const domain = "setplan.io"

// drainRetryDelay is when to try again after a server that shuts down. By then another instance, or the next one at the same
// address, is there.
const drainRetryDelay = time.Second

// Refused is the status for an error of codec.Check or codec.Decode, but for ErrStopped.
func Refused(err error) *spb.Status {
	var invalid *codec.InvalidError
	var policy *codec.UnsupportedPolicyError
	var pods *codec.TooManyPodsError
	switch {
	case errors.As(err, &pods):
		return exhausted(setplanv1.ErrorReason_ERROR_REASON_TOO_MANY_PODS, err.Error(),
			map[string]string{"pods": strconv.Itoa(pods.Pods), "limit": strconv.Itoa(pods.Limit)})
	case errors.As(err, &policy):
		return build(code.Code_FAILED_PRECONDITION, setplanv1.ErrorReason_ERROR_REASON_UNSUPPORTED_POLICY, err.Error(),
			map[string]string{"field": policy.Field})
	case errors.As(err, &invalid):
		return malformed(err.Error(), invalid.Violations)
	}
	panic(fmt.Sprintf("statuses: no status for %T", err))
}

// malformed is the status of a request that breaks the contract.
func malformed(message string, violations []codec.Violation) *spb.Status {
	detail := &errdetails.BadRequest{}
	for _, v := range violations {
		detail.FieldViolations = append(detail.FieldViolations,
			&errdetails.BadRequest_FieldViolation{Field: cut(v.Field), Description: cut(v.Description)})
	}
	return build(code.Code_INVALID_ARGUMENT, setplanv1.ErrorReason_ERROR_REASON_INVALID_SNAPSHOT, message, nil, detail)
}

// Undecodable is the status of a request whose bytes are no message. err is protobuf's and names at most fields.
func Undecodable(err error) *spb.Status {
	// protobuf varies the space after its prefix on purpose; ours stays the same.
	reason := strings.ReplaceAll(err.Error(), "\u00a0", " ")
	violation := codec.Violation{Field: "request", Description: "not a message of the contract: " + reason}
	return malformed("malformed request: "+violation.String(), []codec.Violation{violation})
}

// TooLarge is the status for a "request", a "plan" or a "forecast" over the limit; sizes are in bytes.
func TooLarge(what string, size, limit int) *spb.Status {
	return exhausted(setplanv1.ErrorReason_ERROR_REASON_MESSAGE_TOO_LARGE, fmt.Sprintf("the %s has %d bytes; the limit is %d", what, size, limit),
		map[string]string{"bytes": strconv.Itoa(size), "limit": strconv.Itoa(limit)})
}

// UnknownCaller is the status of a call that no cluster of the policy makes, or whose token is not accepted. The message quotes the caller's own names, and nothing of
// a token.
func UnknownCaller(message string) *spb.Status {
	return build(code.Code_PERMISSION_DENIED, setplanv1.ErrorReason_ERROR_REASON_UNKNOWN_CALLER, message, nil)
}

// Overloaded is the status of a call that there is no room for. limit names the caller's limit that it is beyond, if any.
func Overloaded(message, limit string, retryAfter time.Duration) *spb.Status {
	var metadata map[string]string
	if limit != "" {
		metadata = map[string]string{"limit": limit}
	}
	return exhausted(setplanv1.ErrorReason_ERROR_REASON_OVERLOADED, message, metadata, &errdetails.RetryInfo{RetryDelay: durationpb.New(retryAfter)})
}

// Draining is the status of every call that arrives after the shutdown began.
func Draining() *spb.Status {
	return build(code.Code_UNAVAILABLE, setplanv1.ErrorReason_ERROR_REASON_DRAINING, "the server is shutting down", nil,
		&errdetails.RetryInfo{RetryDelay: durationpb.New(drainRetryDelay)})
}

// Internal is the status of a bug. Only the server's log says what happened.
func Internal(requestID string) *spb.Status {
	return build(code.Code_INTERNAL, setplanv1.ErrorReason_ERROR_REASON_INTERNAL, "a bug in the planner; the server's log has it under request id "+requestID,
		map[string]string{"request_id": requestID})
}

// InternalAlone is Internal where there is no log.
func InternalAlone() *spb.Status {
	return build(code.Code_INTERNAL, setplanv1.ErrorReason_ERROR_REASON_INTERNAL, "a bug in the planner", nil)
}

// Abandoned is the status of a call whose caller no longer waits, by the error of its context. It has no ErrorInfo: the caller's library has given up
// before this arrives.
func Abandoned(err error) *spb.Status {
	c := code.Code_UNKNOWN
	switch {
	case err == nil:
		return &spb.Status{} // nobody has gone
	case errors.Is(err, context.DeadlineExceeded):
		c = code.Code_DEADLINE_EXCEEDED
	case errors.Is(err, context.Canceled):
		c = code.Code_CANCELLED
	}
	return &spb.Status{Code: int32(c), Message: err.Error()}
}

// UnknownMethod is the status of a method that is not there.
func UnknownMethod() *spb.Status {
	return &spb.Status{Code: int32(code.Code_UNIMPLEMENTED), Message: "this server has no such method"}
}

func exhausted(reason setplanv1.ErrorReason, message string, metadata map[string]string, details ...proto.Message) *spb.Status {
	return build(code.Code_RESOURCE_EXHAUSTED, reason, message, metadata, details...)
}

// build puts a status together, with its ErrorInfo first.
func build(c code.Code, reason setplanv1.ErrorReason, message string, metadata map[string]string, details ...proto.Message) *spb.Status {
	info := &errdetails.ErrorInfo{
		Reason:   strings.TrimPrefix(reason.String(), "ERROR_REASON_"),
		Domain:   domain,
		Metadata: metadata,
	}
	s := &spb.Status{Code: int32(c), Message: message}
	for _, detail := range append([]proto.Message{info}, details...) {
		packed := &anypb.Any{}
		if err := anypb.MarshalFrom(packed, detail, proto.MarshalOptions{Deterministic: true}); err != nil {
			panic(err) // details are messages of known types, in valid UTF-8
		}
		s.Details = append(s.Details, packed)
	}
	return fit(s)
}
