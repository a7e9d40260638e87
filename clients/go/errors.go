package setplan

import (
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

// reasonPrefix is what ErrorInfo leaves out of the enum's names.
const reasonPrefix = "ERROR_REASON_"

// ErrorReason is the planner's reason for an error; unspecified for errors that are not the planner's, such as a network
// that is down, and for reasons of a newer contract.
func ErrorReason(err error) setplanv1.ErrorReason {
	for _, detail := range status.Convert(err).Details() {
		if info, ok := detail.(*errdetails.ErrorInfo); ok && info.GetDomain() == errorDomain {
			return setplanv1.ErrorReason(setplanv1.ErrorReason_value[reasonPrefix+info.GetReason()])
		}
	}
	return setplanv1.ErrorReason_ERROR_REASON_UNSPECIFIED
}

// Violation is one thing that is wrong with a request.
type Violation struct {
	Field       string // path from the request, such as "snapshot.pods[3].uid"
	Description string
}

// Violations lists what the planner found wrong with a request; empty unless the reason is INVALID_SNAPSHOT.
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

// requestTooLarge looks like the server's own refusal, so that callers need one case for both.
func requestTooLarge(size, limit int) error {
	return tooLarge(fmt.Sprintf("the request has %d bytes; this client's limit is %d", size, limit), map[string]string{
		"bytes": strconv.Itoa(size), "limit": strconv.Itoa(limit)})
}

// explain replaces gRPC's error for a response over our limit, which does not say whose limit it was.
func (c *Client) explain(err error) error {
	s := status.Convert(err)
	if s.Code() != codes.ResourceExhausted || ErrorReason(err) != setplanv1.ErrorReason_ERROR_REASON_UNSPECIFIED {
		return err
	}
	var size, limit int
	_, numbers, found := strings.Cut(s.Message(), "larger than max ")
	if !found {
		return err
	}
	if _, scan := fmt.Sscanf(numbers, "(%d vs. %d)", &size, &limit); scan != nil {
		return err
	}
	who, what := "the server", "request"
	if limit == c.settings.maxMessageBytes {
		who, what = "this client", "plan"
	}
	return tooLarge(fmt.Sprintf("the %s has %d bytes; the limit of %s is %d", what, size, who, limit), map[string]string{
		"bytes": strconv.Itoa(size), "limit": strconv.Itoa(limit)})
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
