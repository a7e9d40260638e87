package main

import (
	"fmt"
	"net/http"
)

// serveHealth serves the health checks under the paths that Kubernetes' components use: each by its name, and all together.
func serveHealth(mux *http.ServeMux, leaderElection func(*http.Request) error) {
	check := func(w http.ResponseWriter, r *http.Request) {
		if err := leaderElection(r); err != nil {
			http.Error(w, fmt.Sprintf("[-]leaderElection failed: %v", err), http.StatusInternalServerError)
			return
		}
		_, _ = w.Write([]byte("ok\n"))
	}
	mux.HandleFunc("GET /healthz", check)
	mux.HandleFunc("GET /healthz/leaderElection", check)
}
