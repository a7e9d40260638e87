package outside

import (
	"net/http"
	"slices"
	"time"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// Stages, steps and actions come in order, and failures stop what they have to stop.
var stageCases = []testCase{
	{"A5", "a stage begins when the one before has ended", func(b *bench) {
		b.begins(func(c *call) *plan {
			first, pods := creations(c)
			return made(c, first, alone(replicas, stop, pods...))
		}, "controllerrevisions", "")
	}},
	{"A5", "the actions of a step come one after another", func(b *bench) {
		b.begins(func(c *call) *plan { return c.honest }, "persistentvolumeclaims", "data-web-0")
	}},
	{"A5", "the first failure ends a step", func(b *bench) {
		b.fresh(1, func(c *call) *plan { return c.honest }, to(http.MethodPost, "persistentvolumeclaims", "data-web-0"), http.StatusForbidden)
		b.written("a claim", to(http.MethodPost, "persistentvolumeclaims", "data-web-0"))
		b.never("sent after an action of its step had failed", to(http.MethodPost, "pods", "web-0"))
	}},
	{"A5", "a failed step does not stop the others of its stage", func(b *bench) {
		b.fails(abort, "web-1", nil)
	}},
	{"A6", "after ABORT nothing more is done", func(b *bench) { b.fails(abort, "", []string{"web-2", "status"}) }},
	{"A6", "after an unknown value nothing more is done", func(b *bench) { b.fails(99, "", []string{"web-2", "status"}) }},
	{"A6", "after STOP what always runs is still done", func(b *bench) { b.fails(stop, "status", []string{"web-2"}) }},
	{"A6", "after SKIP_PHASE other phases are done", func(b *bench) { b.fails(skip, "status", []string{"web-2"}) }},
	{"A9", "an action is not tried again by itself", func(b *bench) {
		for _, code := range []int{http.StatusForbidden, http.StatusInternalServerError, http.StatusConflict} {
			b.once(code)
		}
	}},
}

// fresh creates a set, and refuses matching requests. The first call after that gets the plan.
func (b *bench) fresh(replicas int, of func(*call) *plan, fits func(*request) bool, code int) {
	b.script(nothing)
	b.web(replicas)
	b.asked(1)
	b.gateway.add(&rule{fits: b.here(fits), refuse: code})
	b.forget(once(func(c *call) (*plan, error) { return of(c), nil }))
	b.nudge()
	b.asked(1)
}

// begins holds back the answer to a creation. Until the answer comes, the pod must not be sent.
func (b *bench) begins(of func(*call) *plan, resource, name string) {
	b.script(nothing)
	b.web(1)
	b.asked(1)
	held := make(chan struct{})
	b.gateway.add(&rule{fits: b.here(to(http.MethodPost, resource, name)), after: held})
	b.forget(once(func(c *call) (*plan, error) { return of(c), nil }))
	b.nudge()
	b.until("the adapter creates "+resource, func() string {
		if len(b.writes(to(http.MethodPost, resource, name))) == 0 {
			return "it has sent " + said(b.writes(nil))
		}
		return ""
	})
	b.never("sent before what comes first had ended", to(http.MethodPost, "pods", "web-0"))
	b.gateway.calm()
	b.written("the pod", to(http.MethodPost, "pods", "web-0"))
}

// fails has a plan of three stages carried out: the pods web-0, which fails, and web-1; the pod web-2 in the same phase; and the status,
// which always runs, in another phase. It checks what has to be done, and what must not be.
func (b *bench) fails(on setplanv1.OnFailure, done string, not []string) {
	b.fresh(3, func(c *call) *plan {
		first, pods := creations(c)
		last := alone(status, stop, plainStatus(c))
		last.AlwaysRun = true
		return made(c, first, alone(replicas, on, pods[:2]...), alone(replicas, on, pods[2]), last)
	}, to(http.MethodPost, "pods", "web-0"), http.StatusForbidden)
	b.written("web-0", to(http.MethodPost, "pods", "web-0"))
	wrote := map[string]func(*request) bool{
		"web-1": to(http.MethodPost, "pods", "web-1"), "web-2": to(http.MethodPost, "pods", "web-2"),
		"status": func(r *request) bool { return r.sub == "status" },
	}
	if done != "" {
		b.written(done, wrote[done])
	}
	b.never("sent after a failure", func(r *request) bool {
		return slices.ContainsFunc(not, func(what string) bool { return wrote[what](r) })
	})
}

// once refuses the creation of a pod. The adapter must not send it twice for one plan.
func (b *bench) once(code int) {
	b.script(nothing)
	b.clear()
	b.until("the set is gone", func() string {
		if b.get("statefulsets/web") != nil {
			return "it is there"
		}
		return ""
	})
	b.fresh(1, func(c *call) *plan {
		first, pods := creations(c)
		return made(c, first, alone(replicas, stop, pods...))
	}, to(http.MethodPost, "pods", "web-0"), code)
	b.written("the pod", to(http.MethodPost, "pods", "web-0"))
	time.Sleep(quiet)
	if sent := b.writes(to(http.MethodPost, "pods", "web-0")); len(sent) > 1 {
		b.failf("the API server answered %d, and the pod was sent %d times", code, len(sent))
	}
	b.gateway.calm()
}
