package server

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/protoadapt"
	"google.golang.org/protobuf/types/known/durationpb"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
	"github.com/setplan/setplan/server/codec"
	"github.com/setplan/setplan/server/tokens"
)

// This file builds every status that a caller can see. No message holds bytes of a template.

// errorDomain is the domain in every ErrorInfo.
const errorDomain = "setplan.io"

// drainRetryDelay is when to try again after a server that shuts down. By then another instance, or the next one at the same
// address, is there.
const drainRetryDelay = time.Second

// refusal is the status for an error of codec.Check or codec.Decode, or for ErrStopped of codec.Read.
func refusal(ctx context.Context, err error) error {
	var invalid *codec.InvalidError
	var policy *codec.UnsupportedPolicyError
	var pods *codec.TooManyPodsError
	switch {
	case errors.Is(err, codec.ErrStopped):
		return abandoned(ctx)
	case errors.As(err, &pods):
		return build(codes.ResourceExhausted, setplanv1.ErrorReason_ERROR_REASON_TOO_MANY_PODS, err.Error(),
			map[string]string{"pods": strconv.Itoa(pods.Pods), "limit": strconv.Itoa(pods.Limit)})
	case errors.As(err, &policy):
		return build(codes.FailedPrecondition, setplanv1.ErrorReason_ERROR_REASON_UNSUPPORTED_POLICY, err.Error(),
			map[string]string{"field": policy.Field})
	case errors.As(err, &invalid):
		return malformed(err.Error(), invalid.Violations)
	}
	panic(fmt.Sprintf("server: no status for %T", err))
}

// malformed is the status of a request that breaks the contract.
func malformed(message string, violations []codec.Violation) error {
	detail := &errdetails.BadRequest{}
	for _, v := range violations {
		detail.FieldViolations = append(detail.FieldViolations,
			&errdetails.BadRequest_FieldViolation{Field: cut(v.Field), Description: cut(v.Description)})
	}
	return build(codes.InvalidArgument, setplanv1.ErrorReason_ERROR_REASON_INVALID_SNAPSHOT, message, nil, detail)
}

// undecodable is the status of a request whose bytes are no message. err is protobuf's and names at most fields.
func undecodable(err error) error {
	// protobuf varies the space after its prefix on purpose; ours stays the same.
	reason := strings.ReplaceAll(err.Error(), "\u00a0", " ")
	violation := codec.Violation{Field: "request", Description: "not a message of the contract: " + reason}
	return malformed("malformed request: "+violation.String(), []codec.Violation{violation})
}

// messageTooLarge is the status for a "request" or a "plan" over the limit; sizes are in bytes.
func messageTooLarge(what string, size, limit int) error {
	return build(codes.ResourceExhausted, setplanv1.ErrorReason_ERROR_REASON_MESSAGE_TOO_LARGE,
		fmt.Sprintf("the %s has %d bytes; the limit is %d", what, size, limit),
		map[string]string{"bytes": strconv.Itoa(size), "limit": strconv.Itoa(limit)})
}

// unknownCaller is the status of a call that no cluster of the policy file makes. It quotes the caller's own names.
func unknownCaller(identities []string) error {
	return build(codes.PermissionDenied, setplanv1.ErrorReason_ERROR_REASON_UNKNOWN_CALLER,
		harmless("the planner's policy has no cluster with one of the identities "+strings.Join(identities, ", ")), nil)
}

// badToken is the status of a call whose token is not accepted. It quotes nothing of the token.
func badToken(refused *tokens.Refused) error {
	return build(codes.PermissionDenied, setplanv1.ErrorReason_ERROR_REASON_UNKNOWN_CALLER, refused.Error(), nil)
}

// draining is the status of every call that arrives after the shutdown began.
func draining() error {
	return build(codes.Unavailable, setplanv1.ErrorReason_ERROR_REASON_DRAINING, "the server is shutting down", nil,
		&errdetails.RetryInfo{RetryDelay: durationpb.New(drainRetryDelay)})
}

// internal is the status of a bug. Only the server's log says what happened.
func internal(requestID string) error {
	return build(codes.Internal, setplanv1.ErrorReason_ERROR_REASON_INTERNAL,
		"a bug in the planner; the server's log has it under request id "+requestID,
		map[string]string{"request_id": requestID})
}

// abandoned is the status of a call whose caller no longer waits. It has no ErrorInfo: the caller's library has given up
// before this arrives.
func abandoned(ctx context.Context) error { return status.FromContextError(ctx.Err()).Err() }

// build puts a status together, with its ErrorInfo first.
func build(code codes.Code, reason setplanv1.ErrorReason, message string, metadata map[string]string,
	details ...protoadapt.MessageV1) error {
	info := &errdetails.ErrorInfo{
		Reason:   strings.TrimPrefix(reason.String(), "ERROR_REASON_"),
		Domain:   errorDomain,
		Metadata: metadata,
	}
	s, err := status.New(code, message).WithDetails(append([]protoadapt.MessageV1{info}, details...)...)
	if err != nil {
		// Details are messages of known types, so only an OK code could fail here, and there is none above.
		panic(err)
	}
	return status.FromProto(fit(s.Proto())).Err()
}
