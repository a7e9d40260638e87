//go:build e2e

package e2e

import (
	"context"
	"maps"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestUpgrade: the control plane becomes that of the next minor version while a set is being updated. The update goes on, no pod is replaced
// twice, and nothing of other sets is written. Sets of apps/v1 were made by the built-in controller of the earlier version, and are handed back
// to that of the later one.
func TestUpgrade(t *testing.T) {
	t.Parallel()
	c := ownCluster(t, "upgraded", "on")
	noError(t, c.define())
	s := newScene(t, c)
	started := func(name string) *adapter {
		return s.ownAdapter(name, s.adapterConfig(name, ""), s.ownPlanner("server-of-"+name, "127.0.0.1:0"), unelected...)
	}
	var a *adapter
	if isOwn() {
		a = started("adapter")
	}
	s.live()
	s.create(webSet("web", 3, minReady(1)))
	s.settled("web")
	s.caughtUp(s)
	taken := s.last()
	if !isOwn() {
		c.builtIn(t, "off")
		a = started("adapter")
	}
	s.image("web", "registry.example/nginx:2")
	s.happens("-web-1")
	before, revisions, from := s.others("web"), s.revisionData(), c.minor(t)

	ctx, cancel := context.WithTimeout(context.Background(), busy*3*time.Minute)
	defer cancel()
	for _, component := range []string{"apiserver", "controller-manager", "scheduler"} {
		must(c.local(ctx, "restart", component, "--bin", os.Getenv("SETPLAN_UPGRADE")))(t)
	}
	s.settledDespite("web")
	if to := c.minor(t); to != from+1 {
		t.Errorf("the minor version was %d and is %d", from, to)
	}
	if !a.running() {
		t.Error("the adapter ended")
	}
	a.stop()
	a = started("restarted") // it reads everything from the new API server
	a.becomes(`setplan_adapter_sets{state="converged"}`, float64(len(lives())+1))
	if diff := cmp.Diff(before, s.others("web")); diff != "" {
		t.Errorf("objects of other sets were written (-before +after):\n%s", diff)
	}
	if diff := cmp.Diff(revisions, s.revisionData()); diff != "" {
		t.Errorf("revisions (-before +after):\n%s", diff)
	}
	s.createdTimes(2, "web-0", "web-1", "web-2") // before and after the update
	s.unbrokenSince(taken, "ondelete-")
	if isOwn() {
		return
	}
	given := s.versions()
	a.stop()
	c.builtIn(t, "on")
	s.builtInWorks()
	s.untouched(given, "after the hand-back")
}

// others are the versions of objects that are not a set's. Those of claims are left out: since 1.37 a controller says in their status
// whether a pod uses them.
func (s *scene) others(set string) map[string]string {
	s.Helper()
	versions := s.versions()
	maps.DeleteFunc(versions, func(name, _ string) bool {
		kind, name, _ := strings.Cut(name, "/")
		return kind == "PersistentVolumeClaim" || name == set || strings.HasPrefix(name, set+"-")
	})
	return versions
}
