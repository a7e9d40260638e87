// Package monitor answers probes, Prometheus and people. /metrics and /plans name the sets of every tenant and their troubles. So
// beyond loopback they are served over TLS, to callers whom the API server authenticates and allows (by a TokenReview and a
// SubjectAccessReview), or with a certificate of a client CA.
package monitor
