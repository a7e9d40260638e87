// Package monitor serves what probes, Prometheus and people ask an adapter for. Beyond loopback /metrics and /plans, which
// name the sets of every tenant and say what ails them, are for callers whom the API server knows and lets: over TLS, by a
// TokenReview and a SubjectAccessReview, or by a certificate of a client CA.
package monitor
