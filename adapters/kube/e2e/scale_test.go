//go:build e2e

package e2e

import (
	"testing"
)

func TestOrderedStart(t *testing.T) {
	t.Parallel()
	s := newScene(t, shared.cluster)
	s.create(webSet("web", 3, minReady(2)))
	s.settled("web")
	if got, want := s.pods(), "+web-0 ready web-0 +web-1 ready web-1 +web-2 ready web-2"; got != want {
		t.Errorf("pods: %s\nwant: %s", got, want)
	}
}
