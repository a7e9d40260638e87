//go:build e2e

package e2e

import (
	"fmt"
	"net/http"
	"slices"
	"testing"
)

// successors are adapters of which each begins where the last one was killed.
type successors struct {
	*scene
	proxy *proxy
	now   *adapter
	runs  int
}

// next starts an adapter.
func (k *successors) next() {
	k.Helper()
	k.runs++
	k.now = k.ownAdapter(fmt.Sprint("adapter-", k.runs), k.adapterConfig("proxied", k.proxy.URL), nil, unelected...)
}

// killedAt starts an adapter and kills it at the first write that fits, before the API server carries it out, and another one after that. None runs then.
func (k *successors) killedAt(fits func(call) bool) {
	k.Helper()
	for _, done := range []bool{false, true} {
		f := k.proxy.freeze(0, done, fits)
		k.next()
		k.Logf("killed at %s, done: %t", f.wait(k.scene).what(), done)
		k.now.kill()
	}
	k.proxy.set(nil)
}

// TestOrderKilled: adapters are killed at each kind of write of a set with a limit for its scale-up, ranks, and a gate. What these hold to stands in the
// pods: never are more than two starting, no pod is updated to which nobody has agreed, the leader is the last, and a pod that somebody has chosen
// is made anew once.
func TestOrderKilled(t *testing.T) {
	t.Parallel()
	s := lab(t)
	k := &successors{scene: s, proxy: newProxy(t, s.config)}
	creates := atPath(http.MethodPost, "pods")
	deletes := func(pod string) func(call) bool { return atPath(http.MethodDelete, "pods/"+pod) }
	s.create(webSet("web", 4, parallel, withoutClaims, held, annotated("setplan.io/scale-up-limit", "2"),
		annotated("setplan.io/update-rank", "role=primary"), annotated("setplan.io/before-update", "backup-agent")))
	k.killedAt(creates)
	k.next()
	s.blocked("web", "SCALE_UP_LIMITED", "Pod/web-2")
	s.wantPods("+web-0", "+web-1")
	k.now.kill()
	s.release("web-1")
	k.killedAt(creates)
	k.next()
	s.blocked("web", "SCALE_UP_LIMITED", "Pod/web-3")
	s.release("web-0")
	s.happens("+web-3")
	s.release("web-2")
	s.happens("ready web-2")
	s.release("web-3")
	s.settled("web")
	s.wantPods("+web-0", "+web-1", "ready web-1", "+web-2", "ready web-0", "+web-3", "ready web-2", "ready web-3")
	k.now.kill()

	s.patchPod("web-3", `{"metadata":{"labels":{"role":"primary"}}}`)
	before, since := s.podUIDs(), len(s.events("Pod"))
	s.patch("web", `{"spec":{"template":{"metadata":{"annotations":{"setplan.io/test-hold":null}},
		"spec":{"containers":[{"name":"nginx","image":"registry.example/nginx:2"}]}}}}`)
	k.killedAt(atPath(http.MethodPost, "controllerrevisions"))
	k.killedAt(statusOfWeb)
	k.next()
	s.blocked("web", "UPDATE_GATED", "Pod/web-2", "backup-agent")
	s.samePods(before)
	k.now.kill()
	for pod := range before {
		s.patchPod(pod, fmt.Sprintf(`{"metadata":{"annotations":{"setplan.io/before-update":%q}}}`, s.get("web").Status.UpdateRevision))
	}
	k.killedAt(deletes("web-1"))
	k.killedAt(creates)
	k.killedAt(deletes("web-3"))
	k.next()
	s.settled("web")
	if got := words(s.events("Pod")[since:], "-"); !slices.Equal(got, []string{"-web-2", "-web-1", "-web-0", "-web-3"}) {
		t.Errorf("the update has deleted %v, and web-3 leads", got)
	}
	k.now.kill()

	s.patchPod("web-1", `{"metadata":{"annotations":{"setplan.io/recreate":"true"}}}`)
	s.patchPod("web-0", `{"metadata":{"labels":{"role":"primary"}}}`)
	k.killedAt(deletes("web-1"))
	k.killedAt(creates)
	k.next()
	s.settled("web")
	for pod, times := range map[string]int{"web-0": 2, "web-1": 3, "web-2": 2, "web-3": 2} {
		s.times("Pod", "+"+pod, times)
	}
	s.unbroken()
	k.proxy.preconditions(t)
}
