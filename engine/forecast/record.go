package forecast

import (
	"slices"

	"github.com/setplan/setplan/engine"
	"github.com/setplan/setplan/engine/differ"
	"github.com/setplan/setplan/engine/model"
)

// record writes down what a forecast comes to.
type record struct {
	*cluster
	result *Result
	wanted []string       // the names of the range, by ordinal
	slots  map[string]int // their places
	serves []bool         // by slot: had a pod at first, or has been available since
	open   map[string]int // restarts whose pod is not made yet, by its name
	said   map[string]bool
	data   map[string][]byte    // of the revisions that there were at first, by name
	differ map[[2]string]string // what differs between two revisions

	counted bool // once at least
}

func newRecord(c *cluster, takes Hosts) *record {
	r := &record{cluster: c, result: &Result{From: c.now(), Hosts: takes}, wanted: c.names(), slots: map[string]int{},
		open: map[string]int{}, said: map[string]bool{}, data: map[string][]byte{}, differ: map[[2]string]string{}}
	for i := range c.Revisions {
		r.data[c.Revisions[i].Name] = c.Revisions[i].Data
	}
	r.serves = make([]bool, len(r.wanted))
	for slot, name := range r.wanted {
		r.slots[name] = slot
		r.serves[slot] = r.replica(name) != nil
		if !r.serves[slot] {
			r.result.MissingAtFirst++
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
	return slices.ContainsFunc(p.Owners, func(o model.Owner) bool { return o.Controller && o.UID == r.Set.UID })
}

// noteBytes are for what is written down of a change.
const noteBytes = 200

// assume lists an assumption once.
func (r *record) assume(sentence string) {
	if !r.said[sentence] {
		r.keep(2*len(sentence) + stateBytes)
		r.said[sentence] = true
		r.result.Assumptions = append(r.result.Assumptions, sentence)
	}
}

// see writes down a change.
func (r *record) see(ch *change) {
	r.hold(len(ch.why.Message) + noteBytes)
	out := r.result
	switch ch.kind {
	case podMade:
		r.seeMade(ch)
	case podDeleted:
		r.seeDeleted(ch)
	case podUpdated:
		out.Updated = append(out.Updated, PodChange{ch.pod.Name, ch.pod.Revision, ch.why, r.now()})
	case podRevised:
		r.lookAt(&ch.pod)
		out.ContainerRestarts = append(out.ContainerRestarts, PodChange{ch.pod.Name, engine.UnderWay(&ch.pod), r.withDifference(ch.why, ch.pod.Revision, engine.UnderWay(&ch.pod)), r.now()})
	case podResized:
		r.lookAt(&ch.pod)
		if engine.StartsForResources(&ch.pod) {
			out.ContainerRestarts = append(out.ContainerRestarts, PodChange{ch.pod.Name, engine.UnderWay(&ch.pod), ch.why, r.now()})
		}
	case claimMade:
		out.ClaimsMade = append(out.ClaimsMade, ClaimChange{ch.claim.Name, ch.why, r.now()})
	case claimChanged:
		out.ClaimsChanged = append(out.ClaimsChanged, ClaimChange{ch.claim.Name, ch.why, r.now()})
		r.assume(growsAtOnce)
	case claimDeleted:
		out.ClaimsDeleted = append(out.ClaimsDeleted, ClaimChange{ch.claim.Name, ch.why, r.now()})
		message := claimIsDeleted
		if len(ch.claim.Owners) > 0 && ch.why == (model.Cause{}) && len(ch.claim.Owners[0].Name) <= longestName {
			message = claimGoesWith(ch.claim.Owners[0].Kind, ch.claim.Owners[0].Name)
		}
		r.irreversible(model.KindClaim, ch.claim.Name, message)
	case revisionDeleted:
		r.irreversible(model.KindRevision, ch.revision.Name, revisionIsDeleted)
	}
}

func (r *record) seeMade(ch *change) {
	p := &ch.pod
	i, again := r.open[p.Name]
	switch {
	case engine.Drains(p):
		r.result.DrainPods = append(r.result.DrainPods, PodChange{p.Name, "", ch.why, r.now()})
	case again:
		restart := &r.result.Restarts[i]
		restart.To, restart.MadeAt = p.Revision, r.now()
		restart.Why = r.withDifference(restart.Why, restart.From, restart.To)
		delete(r.open, p.Name)
	default:
		r.result.Added = append(r.result.Added, PodChange{p.Name, p.Revision, ch.why, r.now()})
	}
}

func (r *record) seeDeleted(ch *change) {
	p := &ch.pod
	_, wanted := r.slots[p.Name]
	switch {
	case !r.owns(p):
	case wanted:
		r.open[p.Name] = len(r.result.Restarts)
		r.result.Restarts = append(r.result.Restarts, Restart{Pod: p.Name, From: p.Revision, Why: ch.why, DeletedAt: r.now()})
	default:
		r.result.Removed = append(r.result.Removed, PodChange{p.Name, p.Revision, ch.why, r.now()})
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
	for slot, name := range r.wanted {
		p := r.replica(name)
		available := p != nil && r.Available(p)
		r.serves[slot] = r.serves[slot] || available
		if r.serves[slot] && !available {
			unavailable++
		}
	}
	if out := r.result; !r.counted || unavailable > out.PeakUnavailable {
		r.counted, out.PeakUnavailable, out.PeakAt = true, unavailable, r.now()
	}
	return unavailable
}
