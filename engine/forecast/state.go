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
	r.result, r.open, r.said, r.serves = &Result{}, map[string]int{}, map[string]bool{}, slices.Clone(r.serves)
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
	all := func(owners []model.Owner, a *model.Annotations) {
		f.work(8 + 2*len(owners))
		out.number(int64(len(owners)))
		for _, o := range owners {
			out.string(o.Name)
			out.flag(f.hosts.isGone(o))
			out.flag(o.UID == f.Set.UID)
		}
		out.flag(a != nil)
		sum := f.shared.digestOf(a)
		out.string(string(sum[:]))
	}
	out.number(int64(len(f.Pods)))
	for _, name := range namesOf(f.Pods, func(p *model.Pod) (string, bool) { return p.Name, true }) {
		p := f.pod(name)
		f.lookAt(p)
		out.string(name)
		out.string(p.Revision)
		out.number(int64(p.Phase))
		out.flag(p.Ready)
		out.flag(p.DeletedAt.IsZero())
		out.flag(f.Available(p))
		out.flag(p.NeverReady())
		out.number(int64(age(p)))
		out.string(engine.UnderWay(p))
		out.flag(p.Containers != nil)
		out.flag(p.Containers != nil && refused(p.Containers))
		all(p.Owners, p.Annotations)
	}
	out.number(int64(len(f.Claims)))
	for _, name := range namesOf(f.Claims, func(c *model.Claim) (string, bool) { return c.Name, true }) {
		c := f.claim(name)
		out.string(name)
		out.number(int64(c.Phase))
		out.flag(c.DeletedAt.IsZero())
		all(c.Owners, c.Annotations)
	}
	out.number(int64(len(f.Revisions)))
	for _, name := range namesOf(f.Revisions, func(r *model.Revision) (string, bool) { return r.Name, true }) {
		out.string(name)
		out.number(f.revision(name).Number)
	}
	due := slices.Clone(f.hosts.due)
	f.sorting(len(due))
	slices.SortFunc(due, func(a, b duty) int { return byName(a.pod, b.pod) })
	out.number(int64(len(due)))
	for _, d := range due {
		out.string(d.pod)
		out.number(int64(d.what))
		out.string(d.answer.Key)
		out.string(d.answer.Value)
	}
	out.strings(f.hosts.waiting)
	for _, serves := range f.record.serves {
		out.flag(serves)
	}
	st := &f.Set.Status
	for _, n := range [...]int32{st.Replicas, st.ReadyReplicas, st.AvailableReplicas, st.CurrentReplicas, st.UpdatedReplicas} {
		out.number(int64(n))
	}
	out.strings([]string{st.CurrentRevision, st.UpdateRevision})
	out.strings(f.Set.Finalizers)
	out.number(int64(len(f.Outcomes)))
	out.number(int64(len(f.refused)))
	return out.sum()
}
