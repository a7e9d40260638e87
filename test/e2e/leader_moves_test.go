//go:build e2e

package e2e

import (
	"encoding/json"
	"net/http"
	"slices"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// TestLeaderMovesInFlight: a pod becomes the leader while its deletion is on the way. The API server refuses that, because the deletion names the pod as
// it was seen, and the new plan takes the new leader last.
func TestLeaderMovesInFlight(t *testing.T) {
	t.Parallel()
	s := lab(t)
	p := newProxy(t, s.config)
	a := s.ownAdapter("adapter", s.adapterConfig("proxied", p.URL), nil, unelected...)
	then := s.teller()
	s.create(webSet("web", 3, withoutClaims, annotated("setplan.io/update-rank", "role=primary")))
	s.settled("web")
	then(born("web-0"), born("web-1"), born("web-2"))
	seen := s.pod("web-2")
	s.patchPod("web-0", `{"metadata":{"labels":{"role":"primary"}}}`)
	held, letGo := p.hold(atPath(http.MethodDelete, "pods"))
	s.image("web", image2)
	select {
	case c := <-held:
		var options metav1.DeleteOptions
		if err := json.Unmarshal(c.body, &options); err != nil || c.path != "pods/web-2" || options.Preconditions == nil ||
			options.Preconditions.UID == nil || *options.Preconditions.UID != seen.UID ||
			options.Preconditions.ResourceVersion == nil || *options.Preconditions.ResourceVersion != seen.ResourceVersion {
			t.Errorf("%v: it deletes as %s, and web-2 is %s at version %s", err, c, seen.UID, seen.ResourceVersion)
		}
	case <-time.After(busy * 60 * time.Second):
		t.Fatal("no pod was to be deleted")
	}
	s.patchPod("web-2", `{"metadata":{"labels":{"role":"primary"}}}`)
	s.patchPod("web-0", `{"metadata":{"labels":{"role":"replica"}}}`)
	letGo()
	then(replaced("web-1"), replaced("web-0"), replaced("web-2"))
	s.settled("web")
	var answers []int
	for _, r := range s.requests() {
		if r.what() == "delete pods" && r.ObjectRef.Name == "web-2" {
			answers = append(answers, r.Response.Code)
		}
	}
	// A cache that lags shows the old version once more.
	if last := len(answers) - 1; last < 1 || answers[last] != http.StatusOK || slices.ContainsFunc(answers[:last], func(code int) bool { return code != http.StatusConflict }) {
		t.Errorf("the deletions of web-2 were answered with %v", answers)
	}
	if !a.running() {
		t.Error("the adapter ended")
	}
	s.unbroken()
	p.preconditions(t)
}
