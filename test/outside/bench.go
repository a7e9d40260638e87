package outside

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// quiet is how long a case waits for a write that must not come. An adapter that gets it wrong sends it at once: nothing else delays it.
const quiet = 1200 * time.Millisecond

// bench is a case's namespace, with short names for what the case does.
type bench struct {
	*lab
	namespace string
	longer    time.Duration // a case waits at least this long
	findings  []string
	before    int // how many writes the checks leave out
}

const mergePatch = "application/merge-patch+json"

// open makes the namespace.
func (b *bench) open() {
	_, err := b.api.do(b.ctx, http.MethodPost, "/api/v1/namespaces", "application/json", object{"metadata": object{"name": b.namespace}})
	if err != nil {
		b.stopf("%v", err)
	}
}

// clear removes the set, so that the adapter has nothing left to do there.
func (b *bench) clear() {
	_, _ = b.api.do(b.ctx, http.MethodDelete, pathOf(b.namespace, "statefulsets/web"), "", object{"propagationPolicy": "Background"}) // it may be gone
}

// web creates a Parallel set with a claim template.
func (b *bench) web(replicas int, changes ...func(set object)) object {
	labels := object{"app": "web"}
	set := object{"apiVersion": "apps/v1", "kind": "StatefulSet", "metadata": object{"name": "web"}, "spec": object{
		"replicas": replicas, "serviceName": "web", "podManagementPolicy": "Parallel", "selector": object{"matchLabels": labels},
		"template": object{"metadata": object{"labels": labels}, "spec": object{"containers": []any{object{"name": "main", "image": "registry.example/app:1"}}}},
		"volumeClaimTemplates": []any{object{"metadata": object{"name": "data"}, "spec": object{"accessModes": []any{"ReadWriteOnce"},
			"resources": object{"requests": object{"storage": "1Gi"}}}}},
	}}
	for _, change := range changes {
		change(set)
	}
	return b.create("statefulsets", set)
}

func (b *bench) create(resource string, o object) object {
	made, err := b.api.do(b.ctx, http.MethodPost, pathOf(b.namespace, resource), "application/json", o)
	if err != nil {
		b.stopf("%v", err)
	}
	return made
}

// get reads an object; nil if there is none.
func (b *bench) get(what string) object {
	o, err := b.api.do(b.ctx, http.MethodGet, pathOf(b.namespace, what), "", nil)
	if err != nil && !errors.Is(err, errAbsent) {
		b.stopf("%v", err)
	}
	return o
}

func (b *bench) patch(what string, change object) object {
	o, err := b.api.do(b.ctx, http.MethodPatch, pathOf(b.namespace, what), mergePatch, change)
	if err != nil {
		b.stopf("%v", err)
	}
	return o
}

// remove deletes an object at once.
func (b *bench) remove(what string) {
	if _, err := b.api.do(b.ctx, http.MethodDelete, pathOf(b.namespace, what), "", object{"gracePeriodSeconds": 0}); err != nil {
		b.stopf("%v", err)
	}
}

// annotate changes an annotation of the set, so that the adapter asks again.
func (b *bench) annotate(name string, value any) {
	b.patch("statefulsets/web", object{"metadata": object{"annotations": object{name: value}}})
}

// nudge changes the set in a way that needs no action.
func (b *bench) nudge() { b.annotate("example.com/nudge", time.Now().Format(time.RFC3339Nano)) }

// script has the planner answer by an answer function from now on. The first call is number 1.
func (b *bench) script(s script) { b.planner.follow(b.namespace, s) }

// nothing returns the plan for a set that needs no action.
func nothing(c *call) (*setplanv1.Plan, error) {
	set := c.request.GetSnapshot().GetSet()
	return &setplanv1.Plan{Fence: &setplanv1.Fence{SetUid: set.GetUid(), Generation: set.GetGeneration()}, Converged: true}, nil
}

// once answers the first call, and plans nothing after that.
func once(s script) script {
	return func(c *call) (*setplanv1.Plan, error) {
		if c.number == 1 {
			return s(c)
		}
		return nothing(c)
	}
}

// asked waits for a call; numbers count from the start of the script.
func (b *bench) asked(number int) *call {
	var found *call
	b.until(fmt.Sprintf("the adapter asks for plan %d", number), func() string {
		if calls := b.calls(); len(calls) >= number {
			found = calls[number-1]
			return ""
		}
		return fmt.Sprintf("it has asked %d times", len(b.calls()))
	})
	return found
}

func (b *bench) calls() []*call { return b.planner.callsOf(b.namespace) }

// writes returns the adapter's writes that a function picks; nil picks all.
func (b *bench) writes(fits func(*request) bool) (writes []*request) {
	for _, r := range b.gateway.writes(b.namespace)[b.before:] {
		if fits == nil || fits(r) {
			writes = append(writes, r)
		}
	}
	return writes
}

// to picks writes of a verb to an object; name "" is any.
func to(verb, resource, name string) func(*request) bool {
	return func(r *request) bool {
		return r.verb == verb && r.resource == resource && (name == "" || r.name == name)
	}
}

// here restricts a rule to the case's namespace.
func (b *bench) here(fits func(*request) bool) func(*request) bool {
	return func(r *request) bool { return r.namespace == b.namespace && fits(r) }
}

// until waits until a check returns "". If it does not in time, until stops the case with the check's last text.
func (b *bench) until(what string, check func() string) {
	for deadline := time.Now().Add(max(b.longer, b.patience)); ; time.Sleep(10 * time.Millisecond) {
		text := check()
		switch {
		case text == "":
			return
		case b.adapter.alive() != nil:
			b.stopf("%v", b.adapter.alive())
		case time.Now().After(deadline):
			b.stopf("this did not happen in time: %s: %s", what, text)
		}
	}
}

// never fails if a matching write comes within a while.
func (b *bench) never(why string, fits func(*request) bool) { b.neverIn(quiet, why, fits) }

func (b *bench) neverIn(d time.Duration, why string, fits func(*request) bool) {
	for deadline := time.Now().Add(d); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		if writes := b.writes(fits); len(writes) > 0 {
			b.failf("%s: %s", why, said(writes))
			return
		}
	}
}

func said(writes []*request) string {
	var all []string
	for _, r := range writes {
		all = append(all, r.what())
	}
	return strings.Join(all, ", ")
}

// written waits for a matching write and its answer.
func (b *bench) written(what string, fits func(*request) bool) *request {
	var found *request
	b.until("the adapter sends "+what, func() string {
		for _, r := range b.writes(fits) {
			if !r.answered.IsZero() {
				found = r
				return ""
			}
		}
		return "it has sent " + said(b.writes(nil))
	})
	return found
}

// grown creates a set with n pods, and waits until the real planner has nothing left to do. From then on nothing is planned.
func (b *bench) grown(replicas int, changes ...func(set object)) object {
	b.script(nil)
	set := b.web(replicas, changes...)
	pause := 50 * time.Millisecond
	b.until("the set has its pods", func() string {
		b.nudge() // an adapter need not ask at once after its own writes
		time.Sleep(pause)
		pause = min(pause*5/4, time.Second) // a slow adapter's write of the status conflicts with a nudge, and must get its turn
		calls := b.calls()
		if len(calls) == 0 {
			return "nobody has asked"
		}
		last := calls[len(calls)-1]
		if pods := len(last.request.GetSnapshot().GetPods()); pods < replicas || len(last.honest.GetStages()) > 0 {
			return fmt.Sprintf("%d pods, %d stages left", pods, len(last.honest.GetStages()))
		}
		return ""
	})
	b.forget(nothing)
	return set
}

// forget leaves the writes so far out of all later checks, and starts a script.
func (b *bench) forget(s script) {
	b.script(nothing)
	time.Sleep(quiet / 4) // for the last plan to be carried out
	b.before = len(b.gateway.writes(b.namespace))
	b.script(s)
}
