package setplan

import (
	"context"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// plan asks once more if the connection ends in the middle of an answer, as it does when its authority is removed. gRPC tries again by itself only
// while no answer has begun.
func (c *Client) plan(ctx context.Context, request *setplanv1.PlanRequest) (*setplanv1.PlanResponse, error) {
	var begun metadata.MD // stays empty where the server refuses, or is not there
	response, err := c.planner.Plan(ctx, request, grpc.Header(&begun))
	if status.Code(err) == codes.Unavailable && len(begun) > 0 {
		return c.planner.Plan(ctx, request)
	}
	return response, err
}
