package server

import (
	"context"
	"errors"
	"strings"

	spb "google.golang.org/genproto/googleapis/rpc/status"
	"google.golang.org/grpc"
	"google.golang.org/grpc/status"

	"github.com/setplan/setplan/server/codec"
	"github.com/setplan/setplan/server/statuses"
	"github.com/setplan/setplan/server/tokens"
)

// This file gives gRPC the statuses that server/statuses builds.

func raise(s *spb.Status) error { return status.FromProto(s).Err() }

// refusal is the status for an error of codec.Check or codec.Decode, or for ErrStopped of codec.Read.
func refusal(ctx context.Context, err error) error {
	if errors.Is(err, codec.ErrStopped) {
		return abandoned(ctx)
	}
	return raise(statuses.Refused(err))
}

func undecodable(err error) error { return raise(statuses.Undecodable(err)) }

func messageTooLarge(what string, size, limit int) error {
	return raise(statuses.TooLarge(what, size, limit))
}

// unknownCaller is the status of a call that no cluster of the policy file makes.
func unknownCaller(identities []string) error {
	return raise(statuses.UnknownCaller(harmless("the planner's policy has no cluster with one of the identities " + strings.Join(identities, ", "))))
}

// badToken is the status of a call whose token is not accepted.
func badToken(refused *tokens.Refused) error { return raise(statuses.UnknownCaller(refused.Error())) }

func draining() error                     { return raise(statuses.Draining()) }
func internal(requestID string) error     { return raise(statuses.Internal(requestID)) }
func abandoned(ctx context.Context) error { return raise(statuses.Abandoned(ctx.Err())) }

// unknownMethod answers instead of gRPC, which would quote whatever the caller asked for.
func unknownMethod(any, grpc.ServerStream) error { return raise(statuses.UnknownMethod()) }
