package setplan

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// errorDomain is the domain of the planner's ErrorInfo.
const errorDomain = "setplan.io"

// reasonPrefix is the part of the enum's names that ErrorInfo leaves out.
const reasonPrefix = "ERROR_REASON_"

// ErrorReason returns the planner's reason for an error; unspecified for errors that are not the planner's, such as a network that is
// down, and for reasons of a newer contract.
func ErrorReason(err error) setplanv1.ErrorReason {
	for _, detail := range status.Convert(err).Details() {
		if info, ok := detail.(*errdetails.ErrorInfo); ok && info.GetDomain() == errorDomain {
			return setplanv1.ErrorReason(setplanv1.ErrorReason_value[reasonPrefix+info.GetReason()])
		}
	}
	return setplanv1.ErrorReason_ERROR_REASON_UNSPECIFIED
}

// ErrAnswer is in the chain of the error of a call whose answer this client did not read: it is too long, has too many elements, or is malformed.
var ErrAnswer = errors.New("the answer is refused")

// Violation is one mistake in a request.
type Violation struct {
	Field       string // path from the request, such as "snapshot.pods[3].uid"
	Description string
}

// Violations lists the mistakes that the planner found in a request; empty unless the reason is INVALID_SNAPSHOT.
func Violations(err error) []Violation {
	var out []Violation
	for _, detail := range status.Convert(err).Details() {
		if bad, ok := detail.(*errdetails.BadRequest); ok {
			for _, v := range bad.GetFieldViolations() {
				out = append(out, Violation{Field: v.GetField(), Description: v.GetDescription()})
			}
		}
	}
	return out
}

// explain replaces gRPC's errors for a message over a limit, which say neither what was too large nor whose limit it was. So callers
// see one kind of error, whether the planner or the client refused.
func (c *Client) explain(err error) error {
	s := status.Convert(err)
	if s.Code() == codes.Internal && strings.Contains(s.Message(), "failed to unmarshal the received message") {
		return fmt.Errorf("%w: %w", ErrAnswer, err)
	}
	if s.Code() != codes.ResourceExhausted || ErrorReason(err) != setplanv1.ErrorReason_ERROR_REASON_UNSPECIFIED {
		return err
	}
	var size, limit int
	what, numbers, found := strings.Cut(s.Message(), "larger than max ")
	if !found {
		return err
	}
	if _, scan := fmt.Sscanf(numbers, "(%d vs. %d)", &size, &limit); scan != nil {
		return err
	}
	text := "the request has %d bytes; the limit of the server is %d"
	var answer error
	switch {
	case strings.Contains(what, "trying to send"):
		text = "the request has %d bytes; this client's limit is %d"
	case limit == c.settings.maxAnswer():
		text, answer = "the plan has %d bytes; this client's limit is %d", ErrAnswer
	}
	err = tooLarge(fmt.Sprintf(text, size, limit), map[string]string{"bytes": strconv.Itoa(size), "limit": strconv.Itoa(limit)})
	if answer != nil {
		return fmt.Errorf("%w: %w", answer, err)
	}
	return err
}

func tooLarge(message string, metadata map[string]string) error {
	s, err := status.New(codes.ResourceExhausted, message).WithDetails(&errdetails.ErrorInfo{
		Reason:   strings.TrimPrefix(setplanv1.ErrorReason_ERROR_REASON_MESSAGE_TOO_LARGE.String(), reasonPrefix),
		Domain:   errorDomain,
		Metadata: metadata,
	})
	if err != nil {
		panic(err) // only an OK code has no details
	}
	return s.Err()
}
