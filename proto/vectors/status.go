package vectors

import (
	"google.golang.org/genproto/googleapis/rpc/code"
	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
)

// Error is a gRPC status with its details.
type Error struct {
	// Code is the name of the gRPC code, such as "INVALID_ARGUMENT".
	Code string `json:"code"`
	// Message is for people; so are the descriptions of violations.
	Message string `json:"message"`
	// Reason, Domain and Metadata are those of the google.rpc.ErrorInfo.
	Reason   string            `json:"reason"`
	Domain   string            `json:"domain"`
	Metadata map[string]string `json:"metadata,omitempty"`
	// Violations are those of the google.rpc.BadRequest, in order.
	Violations []Violation `json:"violations,omitempty"`
	// RetryDelay is that of the google.rpc.RetryInfo, such as "1s".
	RetryDelay string `json:"retryDelay,omitempty"`
	// Status is the google.rpc.Status as it travels in the trailer grpc-status-details-bin, where no request brings it about.
	Status []byte `json:"status,omitempty"`
}

// Violation is one field that is wrong.
type Violation struct {
	Field       string `json:"field"`
	Description string `json:"description"`
}

// ErrorOf reads an error that a call has returned.
func ErrorOf(err error) *Error {
	s := status.Convert(err)
	e := &Error{Code: code.Code(s.Code()).String(), Message: s.Message()}
	for _, detail := range s.Details() {
		switch d := detail.(type) {
		case *errdetails.ErrorInfo:
			e.Reason, e.Domain, e.Metadata = d.GetReason(), d.GetDomain(), d.GetMetadata()
		case *errdetails.BadRequest:
			for _, v := range d.GetFieldViolations() {
				e.Violations = append(e.Violations, Violation{v.GetField(), v.GetDescription()})
			}
		case *errdetails.RetryInfo:
			e.RetryDelay = d.GetRetryDelay().AsDuration().String()
		}
	}
	return e
}

// AddStatus adds the bytes of the status.
func (e *Error) AddStatus(err error) error {
	bytes, failed := proto.MarshalOptions{Deterministic: true}.Marshal(status.Convert(err).Proto())
	e.Status = bytes
	return failed
}
