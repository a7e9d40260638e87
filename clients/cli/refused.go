package cli

import (
	"crypto/tls"
	"errors"
	"strings"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
)

// refused reports whether an API server or a planner refused for good instead of not answering: it does not accept the caller, or it
// is not the expected server.
func refused(err error) bool {
	if apierrors.IsForbidden(err) || apierrors.IsUnauthorized(err) || apierrors.IsNotFound(err) {
		return true
	}
	if certificate := new(tls.CertificateVerificationError); errors.As(err, &certificate) {
		return true
	}
	switch status.Code(err) {
	case codes.PermissionDenied, codes.Unauthenticated, codes.Unimplemented:
		return true
	default:
		return strings.Contains(err.Error(), noHandshake)
	}
}
