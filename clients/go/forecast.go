package setplan

import (
	"context"
	"errors"
	"io"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// Forecast asks what becomes of one set, to the end. It calls each with the steps, one after another, as soon as the planner knows them;
// an error of each ends the call and is returned. Then it returns the result. As with Plan, capabilities that the request leaves out are all
// of this build.
//
// A forecast of a large set takes seconds: without a deadline in the context, WithTimeout counts for the whole of it.
func (c *Client) Forecast(ctx context.Context, request *setplanv1.ForecastRequest, each func(*setplanv1.ForecastStep) error) (*setplanv1.ForecastResult, error) {
	ctx, cancel := c.deadline(ctx)
	defer cancel() // also ends the planner's work, if each fails
	full := &setplanv1.ForecastRequest{Start: withCapabilities(request.GetStart()), MaxSteps: request.GetMaxSteps(), Times: request.GetTimes(), Pessimistic: request.GetPessimistic()}
	full.ProtoReflect().SetUnknown(request.ProtoReflect().GetUnknown())
	parts, err := c.planner.Forecast(ctx, full)
	if err != nil {
		return nil, c.explain(err)
	}
	var result *setplanv1.ForecastResult
	for {
		part, err := parts.Recv()
		switch {
		case errors.Is(err, io.EOF) && result == nil:
			return nil, status.Error(codes.Unavailable, "the forecast ended before its result")
		case errors.Is(err, io.EOF):
			return result, nil
		case err != nil:
			return nil, c.explain(err)
		}
		if step := part.GetStep(); step != nil {
			if err := each(step); err != nil {
				return nil, err
			}
		}
		if last := part.GetResult(); last != nil {
			result = last
		}
	}
}
