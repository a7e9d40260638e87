package monitor

import (
	"errors"
	"log/slog"
	"net"
	"net/http"
	"strings"

	"github.com/prometheus/client_golang/prometheus"
	"k8s.io/client-go/util/flowcontrol"
)

// access lets callers through if they may read a path.
type access struct {
	reviews *reviews
	answers *prometheus.CounterVec
	log     *slog.Logger
	often   flowcontrol.RateLimiter // limits logged failures: callers choose how many there are
}

func newAccess(ask *reviews, answers *prometheus.CounterVec, log *slog.Logger) *access {
	return &access{reviews: ask, answers: answers, log: log, often: flowcontrol.NewTokenBucketRateLimiter(0.1, 1)}
}

// guard checks each caller before it passes the request on.
func (a *access) guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.TLS != nil && len(r.TLS.VerifiedChains) > 0 {
			next.ServeHTTP(w, r) // the handshake has checked the certificate
			return
		}
		token := bearer(r)
		if token == "" {
			a.refuse(w, unknownCaller)
			return
		}
		address, _, _ := net.SplitHostPort(r.RemoteAddr)
		got, err := a.reviews.of(r.Context(), address, token, r.URL.Path)
		switch {
		case errors.Is(err, errTooMany):
			a.answers.WithLabelValues("too_many").Inc()
			w.Header().Set("Retry-After", "1")
			http.Error(w, err.Error(), http.StatusTooManyRequests)
		case err != nil:
			a.fail(w, err)
		case got != allowed:
			a.refuse(w, got)
		default:
			a.answers.WithLabelValues(string(allowed)).Inc()
			next.ServeHTTP(w, r)
		}
	})
}

func (a *access) refuse(w http.ResponseWriter, got answer) {
	a.answers.WithLabelValues(string(got)).Inc()
	if got == notAllowed {
		http.Error(w, "forbidden: requires the verb get on this path as a nonResourceURL", http.StatusForbidden)
		return
	}
	w.Header().Set("WWW-Authenticate", "Bearer")
	http.Error(w, "unauthorized: requires a bearer token that the API server knows, or a client certificate", http.StatusUnauthorized)
}

// fail refuses a caller that could not be checked.
func (a *access) fail(w http.ResponseWriter, err error) {
	a.answers.WithLabelValues("error").Inc()
	if a.often.TryAccept() {
		a.log.Warn("cannot review a caller of /metrics or /plans; check that the adapter may create tokenreviews and subjectaccessreviews", "error", err)
	}
	http.Error(w, "cannot ask the API server who you are", http.StatusServiceUnavailable)
}

func bearer(r *http.Request) string {
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return ""
	}
	return strings.TrimSpace(token)
}
