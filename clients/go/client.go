package setplan

import (
	"context"
	"errors"
	"fmt"

	"google.golang.org/grpc"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// Client asks a planner. It is safe for concurrent use; one per process is enough.
type Client struct {
	connection *grpc.ClientConn
	planner    setplanv1.PlannerServiceClient
	settings   settings
}

// Dial makes a client for a target such as "planner.example.com:7450" or "dns:///planner:7450". It uses all addresses of a DNS name,
// and looks them up again when a connection ends and every half minute. It returns without connecting: the first call connects.
//
// One of WithTLSFiles, WithTLSConfig and WithInsecure is required.
func Dial(target string, options ...Option) (*Client, error) {
	s := defaults()
	for _, option := range options {
		if err := option(&s); err != nil {
			return nil, fmt.Errorf("setplan: %w", err)
		}
	}
	if target == "" {
		return nil, errors.New("setplan: no target")
	}
	if s.transport == nil {
		return nil, errors.New("setplan: choose how the connection is protected: WithTLSFiles or WithTLSConfig, " +
			"or WithInsecure for a planner on the same machine")
	}
	if s.token != "" && s.transport.Info().SecurityProtocol == "insecure" {
		return nil, errPlainToken
	}
	if s.token != "" && s.unverified {
		return nil, errTokenToAnybody
	}
	connection, err := grpc.NewClient(target, s.dialOptions()...)
	if err != nil {
		return nil, fmt.Errorf("setplan: target %q: %w", target, err)
	}
	return &Client{connection: connection, planner: setplanv1.NewPlannerServiceClient(connection), settings: s}, nil
}

// Plan asks for the plan of one set. An error means that no plan was made; see ErrorReason. A request without capabilities is sent
// with all of this build, which is right for a caller that only looks. A caller that carries out plans must list its own.
func (c *Client) Plan(ctx context.Context, request *setplanv1.PlanRequest) (*setplanv1.PlanResponse, error) {
	ctx, cancel := c.deadline(ctx)
	defer cancel()
	response, err := c.plan(ctx, withCapabilities(request))
	if err != nil {
		return nil, c.explain(err)
	}
	return response, nil
}

// ServerInfo asks what the server can plan, and within which limits.
func (c *Client) ServerInfo(ctx context.Context) (*setplanv1.GetServerInfoResponse, error) {
	ctx, cancel := c.deadline(ctx)
	defer cancel()
	return c.planner.GetServerInfo(ctx, &setplanv1.GetServerInfoRequest{})
}

// Close ends the connection and all calls on it.
func (c *Client) Close() error { return c.connection.Close() }

func (c *Client) deadline(ctx context.Context) (context.Context, context.CancelFunc) {
	if _, ok := ctx.Deadline(); ok {
		return ctx, func() {}
	}
	return context.WithTimeout(ctx, c.settings.timeout)
}
