package codec

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// maxViolations bounds how many violations one error lists. They travel in a response header, and clients in some
// languages accept no more than 8 KiB of headers.
const maxViolations = 25

// Violation is one mistake in a request.
type Violation struct {
	Field       string // path from the request, such as "snapshot.pods[3].uid"
	Description string // what is wrong, such as "required"; bounded in length
}

func (v Violation) String() string { return v.Field + ": " + v.Description }

// InvalidError says that a request is malformed, and lists every reason up to a bound.
type InvalidError struct {
	Violations []Violation
	Omitted    int // violations beyond the bound
}

func invalid(field, format string, args ...any) error {
	return &InvalidError{Violations: []Violation{{Field: field, Description: fmt.Sprintf(format, args...)}}}
}

func (e *InvalidError) Error() string {
	var b strings.Builder
	b.WriteString("malformed request: ")
	b.WriteString(e.Violations[0].String())
	if more := len(e.Violations) - 1 + e.Omitted; more > 0 {
		fmt.Fprintf(&b, " (and %d more)", more)
	}
	return b.String()
}

// UnsupportedPolicyError says that the policy asks for something that this build does not know.
type UnsupportedPolicyError struct {
	Field  string // path from the request, such as "snapshot.policy.behavior"
	Reason string // such as "unknown value 7"
}

func (e *UnsupportedPolicyError) Error() string {
	return "unsupported policy: " + e.Field + ": " + e.Reason
}

// TooManyPodsError says that a snapshot exceeds Limits.MaxPods.
type TooManyPodsError struct {
	Pods  int
	Limit int
}

func (e *TooManyPodsError) Error() string {
	return fmt.Sprintf("the snapshot has %d pods; the limit is %d", e.Pods, e.Limit)
}

// moved is an error about a request whose paths are those of another one.
func moved(err error, path func(string) string) error {
	var malformed *InvalidError
	var policy *UnsupportedPolicyError
	switch {
	case errors.As(err, &policy):
		return &UnsupportedPolicyError{Field: path(policy.Field), Reason: policy.Reason}
	case errors.As(err, &malformed):
		out := &InvalidError{Violations: slices.Clone(malformed.Violations), Omitted: malformed.Omitted}
		for i := range out.Violations {
			out.Violations[i].Field = path(out.Violations[i].Field)
		}
		return out
	}
	return err
}

// ErrStopped says that Limits.Stop ended the work.
var ErrStopped = errors.New("the caller has gone")

// report collects violations while a request is decoded, so that the caller sees all of them at once.
type report struct {
	violations []Violation
	omitted    int
	consumes   bool // the request may be taken apart
	waiting
}

func (r *report) add(field, format string, args ...any) {
	if len(r.violations) == maxViolations {
		r.omitted++
		return
	}
	r.violations = append(r.violations, Violation{Field: field, Description: fmt.Sprintf(format, args...)})
}

// err is the error for all violations so far, or nil.
func (r *report) err() error {
	if r.gone {
		return ErrStopped
	}
	if len(r.violations) == 0 {
		return nil
	}
	return &InvalidError{Violations: r.violations, Omitted: r.omitted}
}

// element reports mistakes in fields of one element of a list. It builds the path only if there is something to report.
type element struct {
	*report
	list  string
	index int
	inner string // a list within that element, if the mistakes are in an element of that one
	at    int
}

func (e *element) add(field, format string, args ...any) {
	if len(e.violations) < maxViolations {
		if e.inner != "" {
			field = fmt.Sprintf("%s[%d].%s", e.inner, e.at, field)
		}
		field = fmt.Sprintf("%s[%d].%s", e.list, e.index, field)
	}
	e.report.add(field, format, args...)
}

// required reports an empty string, or one that is longer than a name.
func (e *element) required(field, value string) {
	if value == "" {
		e.add(field, "required")
	}
	if len(value) > maxName {
		e.add(field, "%s", tooLong(len(value), maxName))
	}
}
