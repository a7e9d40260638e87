//go:build e2e

package e2e

import (
	"net/http"
	"testing"
	"time"
)

// TestFileSystemsGrow: where a file system grows only when its pod starts anew, the pod is recreated if the policy says so, after two minutes, one at a
// time and within the budget, also by an adapter that begins when another was killed at that. One that has started since is left alone, and so is one whose
// file system has grown.
func TestFileSystemsGrow(t *testing.T) {
	t.Parallel()
	s := lab(t)
	clock := &ahead{ours: sharedPlanner(t)}
	planner, p := servePlanner(t, clock), newProxy(t, s.config)
	config := s.adapterConfig("proxied", p.URL)
	a := s.ownAdapter("first", config, planner, unelected...)
	provides := newProvider(s)
	provides.will(growsLater, "www-web-2", "www-web-1")
	then := s.teller()
	s.create(webSet("web", 3))
	then(born("web-0"), born("web-1"), born("web-2"))
	s.settled("web")
	s.annotateSet("web", claimTemplates, asksFor("2Gi"))
	s.storageBecomes("2Gi/2Gi 2Gi/1Gi 2Gi/1Gi")
	s.blocked("web", "FILE_SYSTEM_RESIZE", "PersistentVolumeClaim/www-web-2", "Its kubelet has some time")

	clock.by.Store(int64(3 * time.Minute))
	s.annotateSet("web", "setplan.io/claim-update-policy", "InPlace")
	s.blocked("web", "FILE_SYSTEM_RESIZE", "PersistentVolumeClaim/www-web-2", "its file system does not", "setplan.io/recreate=true")
	s.becomesUnready("web", "web-0")
	then("unready web-0")
	s.annotateSet("web", "setplan.io/claim-update-policy", "InPlaceOrRecreate")
	s.blocked("web", "FILE_SYSTEM_RESIZE", "PersistentVolumeClaim/www-web-2", "The pod is recreated within the budget")
	then()

	f := p.freeze(0, true, atPath(http.MethodDelete, "pods/"))
	s.setReady("web-0", true)
	frozen := f.wait(s)
	a.kill()
	t.Logf("killed at %s", frozen.what())
	p.set(nil)
	provides.will(growsNoFile, "www-web-1")
	s.ownAdapter("second", config, planner, unelected...)
	then("ready web-0", replaced("web-2"), replaced("web-1"))
	s.blocked("web", "FILE_SYSTEM_RESIZE", "PersistentVolumeClaim/www-web-1", "its file system does not", "If the pod has started since")
	s.settled("web")
	then()
	if got, want := s.storage(3), "2Gi/2Gi 2Gi/1Gi 2Gi/2Gi"; got != want {
		t.Errorf("claims have %s, want %s", got, want)
	}
	// Since the policy is stated, each claim was written once for the labels of its template.
	if got := s.claimChanges(3); got != "1/0/1 1/0/1 1/0/1" {
		t.Errorf("claims have changed %s times", got)
	}
	s.unbroken()
	p.preconditions(t)
}
