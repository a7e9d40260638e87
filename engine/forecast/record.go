package forecast

import (
	"fmt"
	"slices"

	"github.com/setplan/setplan/engine"
	"github.com/setplan/setplan/engine/differ"
	"github.com/setplan/setplan/engine/model"
)

// record writes down what a forecast comes to.
type record struct {
	*cluster
	result *Result
	wanted []string        // the names of the range, by ordinal
	serves map[string]bool // by these names: had a pod at first, or has been available since
	open   map[string]int  // restarts whose pod is not made yet, by its name
	said   map[string]bool
	data   map[string][]byte    // of the revisions that there were at first, by name
	differ map[[2]string]string // what differs between two revisions
}

func newRecord(c *cluster, takes Hosts) *record {
	r := &record{cluster: c, result: &Result{From: c.now(), Hosts: takes}, wanted: c.names(), serves: map[string]bool{},
		open: map[string]int{}, said: map[string]bool{}, data: map[string][]byte{}, differ: map[[2]string]string{}}
	for i := range c.Revisions {
		r.data[c.Revisions[i].Name] = c.Revisions[i].Data
	}
	for _, name := range r.wanted {
		r.serves[name] = r.replica(name) != nil
		if !r.serves[name] {
			r.result.AtFirst.Missing++
		}
	}
	c.few(len(c.Claims))
	for _, name := range namesOf(c.Claims, func(claim *model.Claim) (string, bool) { return claim.Name, !claim.DeletedAt.IsZero() }) {
		r.hold(noteBytes)
		r.irreversible(model.KindClaim, name, claimGoesAlready)
	}
	if c.Policy.Scope == model.ScopeDrainOnly {
		r.assume(othersAreNotForecast)
	}
	return r
}

// replica returns the set's own pod of a name, or nil.
func (r *record) replica(name string) *model.Pod {
	if p := r.pod(name); p != nil && r.owns(p) {
		return p
	}
	return nil
}

// owns reports whether the set controls a pod. A drain pod it does not.
func (r *record) owns(p *model.Pod) bool {
	r.few(3 * len(p.Owners))
	return slices.ContainsFunc(p.Owners, func(o model.Owner) bool { return o.Controller && r.isSet(o) })
}

// noteBytes are for what is written down of a change.
const noteBytes = 200

// assume lists an assumption once.
func (r *record) assume(sentence string, of ...any) {
	if len(of) > 0 {
		sentence = fmt.Sprintf(sentence, of...)
	}
	if !r.said[sentence] {
		r.keep(2*len(sentence) + stateBytes)
		r.said[sentence] = true
		r.result.Assumptions = append(r.result.Assumptions, sentence)
	}
}

// see writes down a change.
func (r *record) see(ch *change) {
	r.hold(len(ch.why.Message) + noteBytes)
	out, p := r.result, &ch.pod
	pod := PodChange{p.Name, p.Revision, ch.why, r.now()}
	claim := ClaimChange{ch.claim.Name, ch.why, r.now()}
	switch ch.kind {
	case podMade:
		r.seeMade(p, pod)
	case podDeleted:
		r.seeDeleted(p, pod)
	case podUpdated:
		out.Updated = append(out.Updated, pod)
	case podRevised:
		r.lookAt(p)
		pod.Revision = engine.UnderWay(p)
		pod.Why = r.withDifference(ch.why, p.Revision, pod.Revision)
		out.ContainerRestarts = append(out.ContainerRestarts, pod)
	case podResized:
		r.lookAt(p)
		if engine.StartsForResources(p) {
			pod.Revision = engine.UnderWay(p)
			out.ContainerRestarts = append(out.ContainerRestarts, pod)
		}
	case claimMade:
		out.Claims.Made = append(out.Claims.Made, claim)
	case claimChanged:
		out.Claims.Changed = append(out.Claims.Changed, claim)
		r.assume(growsAtOnce)
	case claimDeleted:
		out.Claims.Deleted = append(out.Claims.Deleted, claim)
		message := claimIsDeleted
		if len(ch.claim.Owners) > 0 && ch.why == (model.Cause{}) && len(ch.claim.Owners[0].Name) <= longestName {
			message = fmt.Sprintf(claimGoesWith, ch.claim.Owners[0].Kind, ch.claim.Owners[0].Name)
		}
		r.irreversible(model.KindClaim, ch.claim.Name, message)
	case revisionDeleted:
		r.irreversible(model.KindRevision, ch.revision.Name, revisionIsDeleted)
	}
}

func (r *record) seeMade(p *model.Pod, made PodChange) {
	i, again := r.open[p.Name]
	switch {
	case engine.Drains(p):
		r.result.DrainPods = append(r.result.DrainPods, PodChange{p.Name, "", made.Why, made.At})
	case again:
		restart := &r.result.Restarts[i]
		restart.To, restart.MadeAt = p.Revision, made.At
		restart.Why = r.withDifference(restart.Why, restart.From, restart.To)
		delete(r.open, p.Name)
	default:
		r.result.Added = append(r.result.Added, made)
	}
}

func (r *record) seeDeleted(p *model.Pod, deleted PodChange) {
	_, wanted := r.serves[p.Name]
	switch {
	case !r.owns(p):
	case wanted:
		r.open[p.Name] = len(r.result.Restarts)
		r.result.Restarts = append(r.result.Restarts, Restart{Pod: p.Name, From: p.Revision, Why: deleted.Why, DeletedAt: deleted.At})
	default:
		r.result.Removed = append(r.result.Removed, deleted)
	}
}

// withDifference adds what differs between two revisions to the cause of a change from one to the other.
func (r *record) withDifference(why model.Cause, from, to string) model.Cause {
	if from == to || why.Code != model.CauseOutdated {
		return why
	}
	pair := [2]string{from, to}
	if _, known := r.differ[pair]; !known {
		r.differ[pair] = differ.Counted(r.parsing, r.dataOf(from), r.dataOf(to))
		r.keep(len(r.differ[pair]) + 2*stateBytes)
	}
	if text := r.differ[pair]; text != "" {
		r.hold(len(why.Message) + len(text))
		why.Message += " " + text
	}
	return why
}

func (r *record) dataOf(revision string) []byte {
	if data, known := r.data[revision]; known {
		return data
	}
	if made := r.revision(revision); made != nil {
		return made.Data
	}
	return nil
}

func (r *record) irreversible(kind, name, message string) {
	r.hold(len(message))
	r.result.Irreversible = append(r.result.Irreversible, Irreversible{kind, name, message, r.now()})
}

// count counts the pods of the range that are not available, and notes the peak. An ordinal that is new counts once its pod has served.
func (r *record) count() (unavailable int) {
	r.few(2 * len(r.wanted))
	for _, name := range r.wanted {
		p := r.replica(name)
		available := p != nil && !p.Terminating() && r.Availability().Available(p)
		r.serves[name] = r.serves[name] || available
		if r.serves[name] && !available {
			unavailable++
		}
	}
	if out := r.result; out.Peak.At.IsZero() || unavailable > out.Peak.Unavailable {
		out.Peak.Unavailable, out.Peak.At = unavailable, r.now()
	}
	return unavailable
}
