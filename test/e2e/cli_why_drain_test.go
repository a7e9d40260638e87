//go:build e2e

package e2e

import (
	"os"
	"path/filepath"
	"testing"
)

func TestWhyDrainFailing(t *testing.T) {
	t.Parallel()
	s := newScene(t, shared.cluster)
	s.create(webSet("web", 2, drained(fails)))
	s.settled("web")
	s.scale("web", 1)
	s.blocked("web", "DRAIN_FAILED", "Pod/web-1")
	// This is what a kubelet reports. kwok runs no containers.
	s.podStatus("web-1", `{"status":{"containerStatuses":[{"name":"drain","image":"`+fails+`","imageID":"","ready":false,"restartCount":0,
		"state":{"terminated":{"exitCode":3,"reason":"Error","message":"no space left"}}}]}}`)
	r := s.firstCause("web", "DRAIN_FAILED", "Pod/web-1", "Container drain of the drain pod ended with exit code 3", "no space left")
	template := filepath.Join(t.TempDir(), "template.json")
	if err := os.WriteFile(template, []byte(drainTemplate(completes)), 0o600); err != nil {
		t.Fatal(err)
	}
	s.do(r.Commands[1], "TEMPLATE", template)
	s.claimsBecome("www-web-0")
	s.unblocked("web")
}
