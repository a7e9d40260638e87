package cli

import (
	"crypto/tls"
	"errors"
	"strings"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
)

// refused reports whether an API server or a planner has said no for good, rather than not answered: to who asks, or
// because it is not the server that it is taken for.
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
