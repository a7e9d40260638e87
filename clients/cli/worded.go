package cli

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// worded is an error in our words that wraps the original.
type worded struct {
	text string
	was  error
}

func (w *worded) Error() string { return w.text }
func (w *worded) Unwrap() error { return w.was }

// apiError words a failed request to the API server, without its path and parameters, which the user did not type. An answer of the
// API server stays as it is.
func apiError(err error) error {
	request := new(url.Error)
	if !errors.As(err, &request) {
		return err
	}
	server := request.URL
	if parsed, broken := url.Parse(request.URL); broken == nil {
		server = parsed.Scheme + "://" + parsed.Host
	}
	if server == "http://localhost:8080" {
		server += ", the one without a kubeconfig,"
	}
	cause := request.Err
	if network := new(net.OpError); errors.As(cause, &network) {
		cause = network.Err // without addresses: the server's is in the message, and our port changes
	}
	return &worded{fmt.Sprintf("the API server %s cannot be reached: %v", server, cause), err}
}

// plannerError words an error of a planner without gRPC's prefix.
func plannerError(where string, err error) error {
	s, ok := status.FromError(err)
	if !ok {
		return err
	}
	said := s.Message()
	if where == embedded {
		return &worded{"the planner: " + said, err}
	}
	switch s.Code() {
	case codes.Unavailable:
		return &worded{fmt.Sprintf("the planner %s cannot be reached: %s", where, transportError(said)), err}
	case codes.DeadlineExceeded:
		return &worded{fmt.Sprintf("the planner %s has not answered in time", where), err}
	default:
		return &worded{fmt.Sprintf("the planner %s: %s", where, said), err}
	}
}

// noHandshake is in gRPC's error if TLS failed. Its code is the same as for a server that is away.
const noHandshake = "authentication handshake failed"

// transportError returns the innermost cause of a failed connection, and what may help.
func transportError(said string) string {
	if at := strings.LastIndex(said, "desc = "); at >= 0 {
		said = strings.Trim(said[at+len("desc = "):], `"`)
	}
	said = strings.TrimPrefix(said, "transport: ")
	// If one side speaks TLS and the other does not, chance decides which side notices first, and how.
	broken := strings.Contains(said, "server preface") || strings.Contains(said, "broken pipe") || strings.Contains(said, "connection reset")
	switch {
	case strings.Contains(said, "no children to pick from"):
		return "its name has no address"
	case strings.Contains(said, "certificate signed by unknown authority"):
		return said + " (--planner-ca-file names the authority)"
	case strings.Contains(said, noHandshake) && !strings.Contains(said, "certificate"):
		return said + " (if it does not use TLS: --planner-insecure)"
	case broken, strings.Contains(said, "certificate required"):
		return said + " (if it uses TLS: --planner-ca-file; if it requires a client certificate: --planner-cert-file)"
	default:
		return said
	}
}
