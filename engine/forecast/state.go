package forecast

import (
	"maps"
	"slices"
	"time"

	"github.com/setplan/setplan/engine"
	"github.com/setplan/setplan/engine/model"
)

// fork is another run from the same state on, with the lists that change in every run. What was written down so far stays behind. End it with
// giveBack.
func (f *forecast) fork() *forecast {
	f.claimsLent, f.revsLent = true, true
	c, h, r := *f.cluster, *f.hosts, *f.record
	c.held = 0
	c.hold(forkBytes + f.held + len(c.Pods)*objectBytes + (len(h.due)+len(h.waiting))*stateBytes + len(r.serves))
	c.Pods, c.pods = slices.Clone(c.Pods), maps.Clone(c.pods)
	h.due, h.waiting, h.events = slices.Clone(h.due), slices.Clone(h.waiting), nil
	r.result, r.open, r.said, r.serves = &Result{}, map[string]int{}, map[string]bool{}, maps.Clone(r.serves)
	h.cluster, r.cluster = &c, &c
	forked := &forecast{cluster: &c, hosts: &h, record: &r, options: f.options}
	h.assume = forked.record.assume
	return forked.listening()
}

// forkBytes are for what every fork has.
const forkBytes = 4 << 10

// giveBack ends a fork.
func (f *forecast) giveBack() {
	f.keep(-f.held)
	f.held = 0
}

// The ages from which on nothing depends on how old a pod is: one that is not ready may be repaired, and a drain is tried again at the latest.
const (
	oldReplica  = 10 * time.Second
	oldDrainPod = 10 * time.Minute
)

// state stands for what the next events depend on. Two states that differ only in what is counted, and in how much time is left, are one.
func (f *forecast) state() digest {
	f.sorting(len(f.Pods) + len(f.Claims) + len(f.Revisions))
	out := newDigester(f.meter)
	age := func(p *model.Pod) time.Duration {
		switch old := f.now().Sub(p.CreatedAt); {
		case engine.Drains(p):
			return min(old, oldDrainPod)
		case p.Ready:
			return 0
		default:
			return min(old, oldReplica)
		}
	}
	shared := func(owners []model.Owner, a *model.Annotations) {
		f.work(8 + 2*len(owners))
		out.put(len(owners))
		for _, o := range owners {
			out.put(o.Name, f.hosts.isGone(o), f.isSet(o))
		}
		sum := f.shared.digestOf(a)
		out.put(a != nil, string(sum[:]))
	}
	out.put(len(f.Pods))
	for _, name := range namesOf(f.Pods, func(p *model.Pod) (string, bool) { return p.Name, true }) {
		p := f.pod(name)
		f.lookAt(p)
		out.put(name, p.Revision, p.Phase, p.Ready, p.Terminating(), f.Availability().Available(p), p.NeverReady(), age(p), engine.UnderWay(p),
			p.Containers != nil, p.Containers != nil && refused(p.Containers))
		shared(p.Owners, p.Annotations)
	}
	out.put(len(f.Claims))
	for _, name := range namesOf(f.Claims, func(c *model.Claim) (string, bool) { return c.Name, true }) {
		c := f.claim(name)
		out.put(name, c.Phase, c.DeletedAt.IsZero())
		shared(c.Owners, c.Annotations)
	}
	out.put(len(f.Revisions))
	for _, name := range namesOf(f.Revisions, func(r *model.Revision) (string, bool) { return r.Name, true }) {
		out.put(name, f.revision(name).Number)
	}
	due := slices.Clone(f.hosts.due)
	f.sorting(len(due))
	slices.SortFunc(due, func(a, b duty) int { return byName(a.pod, b.pod) })
	out.put(len(due))
	for _, d := range due {
		out.put(d.pod, d.what, d.answer.Key, d.answer.Value)
	}
	out.put(f.hosts.waiting)
	for _, name := range f.record.wanted {
		out.put(f.record.serves[name])
	}
	st := &f.Set.Status
	out.put(st.Replicas, st.ReadyReplicas, st.AvailableReplicas, st.CurrentReplicas, st.UpdatedReplicas,
		[]string{st.CurrentRevision, st.UpdateRevision}, f.Set.Finalizers, len(f.Outcomes), len(f.refused))
	return out.sum()
}
