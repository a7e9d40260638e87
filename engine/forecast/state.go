package forecast

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/setplan/setplan/engine"
)

// fork is another run from the same state on. What was written down so far stays behind.
func (f *forecast) fork() *forecast {
	c, h, r := *f.cluster, *f.hosts, *f.record
	c.Pods, c.Claims, c.Revisions = slices.Clone(c.Pods), slices.Clone(c.Claims), slices.Clone(c.Revisions)
	c.pods, c.claims, c.revisions = maps.Clone(c.pods), maps.Clone(c.claims), maps.Clone(c.revisions)
	h.due, h.waiting, h.events, h.broken.known = slices.Clone(h.due), slices.Clone(h.waiting), nil, maps.Clone(h.broken.known)
	r.result, r.open, r.said, r.serves = &Result{}, map[string]int{}, map[string]bool{}, slices.Clone(r.serves)
	h.cluster, r.cluster = &c, &c
	forked := &forecast{cluster: &c, hosts: &h, record: &r, options: f.options, stop: f.stop}
	h.assume = forked.record.assume
	return forked.listening()
}

// The ages from which on nothing depends on how old a pod is: one that is not ready may be repaired, and a drain is tried again at the latest.
const (
	oldReplica  = 10 * time.Second
	oldDrainPod = 10 * time.Minute
)

// state is what the next events depend on. Two states that differ only in what is counted, and in how much time is left, are one.
func (f *forecast) state() string {
	var out strings.Builder
	age := func(p *engine.Pod) time.Duration {
		switch old := f.now().Sub(p.CreatedAt); {
		case p.Drains():
			return min(old, oldDrainPod)
		case p.Ready:
			return 0
		default:
			return min(old, oldReplica)
		}
	}
	owners := func(owners []engine.Owner) {
		for _, o := range owners {
			fmt.Fprint(&out, " ", o.Name, f.hosts.isGone(o), o.UID == f.Set.UID)
		}
	}
	notes := func(a *engine.Annotations) {
		if a != nil {
			values := maps.Clone(a.Values)
			delete(values, annotationUpdate) // it names containers; UnderWay is what it says
			fmt.Fprint(&out, " ", values)
		}
	}
	for _, name := range namesOf(f.Pods, func(p *engine.Pod) (string, bool) { return p.Name, true }) {
		p := f.pod(name)
		fmt.Fprint(&out, "\n", name, " ", p.Revision, p.Phase, p.Ready, p.DeletedAt.IsZero(), f.Available(p), p.NeverReady(), age(p))
		fmt.Fprint(&out, " ", p.UnderWay(), p.Containers != nil, p.Containers != nil && refused(p.Containers))
		owners(p.Owners)
		notes(p.Annotations)
	}
	for _, name := range namesOf(f.Claims, func(c *engine.Claim) (string, bool) { return c.Name, true }) {
		c := f.claim(name)
		fmt.Fprint(&out, "\n", name, " ", c.Phase, c.DeletedAt.IsZero())
		owners(c.Owners)
		notes(c.Annotations)
	}
	for _, name := range namesOf(f.Revisions, func(r *engine.Revision) (string, bool) { return r.Name, true }) {
		fmt.Fprint(&out, "\n", name, " ", f.revision(name).Number)
	}
	due := slices.Clone(f.hosts.due)
	slices.SortFunc(due, func(a, b duty) int { return byName(a.pod, b.pod) })
	for _, d := range due {
		fmt.Fprint(&out, "\n", d.pod, d.what, d.answer)
	}
	st := &f.Set.Status
	fmt.Fprintln(&out, "\n", f.hosts.waiting, f.record.serves, st.Replicas, st.ReadyReplicas, st.AvailableReplicas, st.CurrentReplicas, st.UpdatedReplicas,
		st.CurrentRevision, st.UpdateRevision, f.Set.Finalizers, len(f.Outcomes), len(f.refused))
	return out.String()
}
