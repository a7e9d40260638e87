package outside

import (
	"net/http"
	"time"

	"google.golang.org/protobuf/types/known/durationpb"
)

// After a write the adapter waits until its caches show it.
var gateCases = []testCase{
	{"A3", "no snapshot is taken before the caches show a created pod", func(b *bench) {
		b.script(nothing)
		b.web(1)
		b.asked(1)
		b.forget(nil)
		b.gateway.holdWatches("pods")
		b.nudge()
		b.written("a pod", to(http.MethodPost, "pods", "web-0"))
		b.shut("web-0")
	}},
	{"A3", "no snapshot is taken before the caches show a deletion", func(b *bench) {
		b.grown(2)
		b.forget(nil)
		b.gateway.holdWatches("pods")
		b.patch("statefulsets/web", object{"spec": object{"replicas": 1}})
		b.written("a deletion", to(http.MethodDelete, "pods", "web-1"))
		b.shut("web-1")
	}},
	{"A3", "no snapshot is taken before the caches show a status", func(b *bench) {
		b.grown(1)
		b.forget(once(func(c *call) (*plan, error) {
			b.gateway.holdWatches("statefulsets")
			return made(c, alone(status, stop, plainStatus(c))), nil
		}))
		b.nudge()
		b.written("a status", func(r *request) bool { return r.resource == "statefulsets" && r.sub == "status" })
		b.patch("pods/web-0", object{"metadata": object{"labels": object{"example.com/nudge": "x"}}})
		b.shut("web")
	}},
}

// shut fails if the adapter asks again before the watches go on, or does not ask after that.
func (b *bench) shut(what string) {
	after := time.Now()
	time.Sleep(2 * quiet)
	for _, c := range b.calls() {
		if c.at.After(after) {
			b.stopf("the adapter asked for a plan before a cache showed the write to %s", what)
		}
	}
	seen := len(b.calls())
	b.gateway.calm()
	b.nudge()
	b.asked(seen + 1)
}

// A plan for another state is dropped.
var fenceCases = []testCase{
	{"A4", "another uid", func(b *bench) {
		b.dropped(func(p *plan) { p.Fence.SetUid = "5a4d9a34-0000-4000-8000-000000000009" })
	}},
	{"A4", "another generation", func(b *bench) { b.dropped(func(p *plan) { p.Fence.Generation++ }) }},
	{"A4", "a snapshot that is too old", func(b *bench) {
		b.dropped(func(p *plan) {
			p.Fence.MaxAge = durationpb.New(time.Millisecond)
			time.Sleep(50 * time.Millisecond)
		})
	}},
	{"A4", "no fence", func(b *bench) { b.dropped(func(p *plan) { p.Fence = nil }) }},
	{"A4", "an annotation under setplan.io/ that has come since", func(b *bench) {
		b.dropped(func(*plan) {
			b.annotate("setplan.io/pause", "All")
			time.Sleep(quiet) // the caches show it by then
		})
	}},
	{"A4", "an edit before a stage that deletes", func(b *bench) {
		b.grown(2)
		b.forget(once(func(c *call) (*plan, error) {
			return made(c, alone(status, skip, plainStatus(c)), alone(scaleDown, stop, deletePod(c, "web-1"))), nil
		}))
		b.gateway.add(&rule{fits: b.here(func(r *request) bool { return r.sub == "status" }), before: func() {
			b.patch("statefulsets/web", object{"spec": object{"replicas": 3}})
			time.Sleep(quiet)
		}})
		b.nudge()
		b.asked(1)
		b.written("the status", func(r *request) bool { return r.sub == "status" })
		b.never("deleted by a plan for an earlier generation", to(http.MethodDelete, "pods", ""))
	}},
	{"D6", "a set with the same claim names that has come since", func(b *bench) {
		b.script(nothing)
		b.oddWeb()
		b.asked(1)
		b.forget(once(func(c *call) (*plan, error) {
			b.neighbour()
			time.Sleep(quiet)
			return c.honest, nil
		}))
		b.nudge()
		b.asked(1)
		b.never("the plan was not dropped", nil)
	}},
	{"A7", "a set that is being deleted is read, and not taken from a cache", func(b *bench) {
		b.script(nothing)
		b.web(1)
		b.asked(1)
		b.forget(once(func(c *call) (*plan, error) {
			b.gateway.holdWatches("statefulsets")
			b.patch("statefulsets/web", object{"metadata": object{"finalizers": []any{"example.com/stays"}}})
			if _, err := b.api.do(b.ctx, http.MethodDelete, pathOf(b.namespace, "statefulsets/web"), "", object{"propagationPolicy": "Orphan"}); err != nil {
				return nil, err
			}
			first, pods := creations(c)
			first.RequiresLiveSet = true
			return made(c, first, alone(replicas, stop, pods...)), nil
		}))
		b.nudge()
		b.asked(1)
		b.never("written for a set that is being deleted", nil)
		b.gateway.calm()
		b.patch("statefulsets/web", object{"metadata": object{"finalizers": nil}})
	}},
	{"A7", "a set that is there is no obstacle", func(b *bench) {
		b.script(nothing)
		b.web(1)
		b.asked(1)
		b.forget(once(func(c *call) (*plan, error) {
			c.honest.Stages[0].RequiresLiveSet = true
			return c.honest, nil
		}))
		b.nudge()
		b.written("a pod", to(http.MethodPost, "pods", "web-0"))
	}},
}

// dropped has a new set planned honestly except for one change, because of which nothing may be written.
func (b *bench) dropped(change func(*plan)) {
	b.script(nothing)
	b.web(1)
	b.asked(1)
	b.forget(once(func(c *call) (*plan, error) {
		change(c.honest)
		return c.honest, nil
	}))
	b.nudge()
	b.asked(1)
	b.never("the plan was not dropped", nil)
	b.asked(2) // it takes another snapshot
}
