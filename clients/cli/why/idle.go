package why

import (
	"fmt"
	"strings"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/setplan/setplan/adapters/kube"
	"github.com/setplan/setplan/clients/cli/shell"
	"github.com/setplan/setplan/clients/cli/show"
	"github.com/setplan/setplan/clients/cli/world"
)

// patience is how long a plan may stay undone before nobody seems to carry it out. An adapter needs less than a second, or some
// seconds with many sets.
const patience = 10 * time.Second

// nobodyActs finds out whether anybody carries out the plan, from the objects: the status's generation, the time of the last write,
// and whether an adapter renews its lease.
func (c *Case) nobodyActs() []*Reason {
	set := c.Snapshot.GetSet()
	r := &Reason{Code: CodeNobodyActs, Severity: Attention, Subject: c.World.Set(c.Key).GetKind() + "/" + c.Key.Name, rank: rankPaused}
	stale := c.readLeases(r)
	switch {
	case c.statusBehind(r):
		r.Message = fmt.Sprintf("No adapter seems to act on the set: its spec is at generation %d, but its status is at generation %d.",
			set.GetGeneration(), set.GetStatus().GetObservedGeneration())
		if r.Since == nil {
			r.rank, r.Message = rankConsequence, fmt.Sprintf("The set's spec is at generation %d, but its status is at generation %d. If the spec was changed more than %s ago, no adapter acts on the set.",
				set.GetGeneration(), set.GetStatus().GetObservedGeneration(), show.Count(int(patience.Seconds()), "second"))
		}
	case !c.oursToRun():
		return nil // another controller runs it, by other rules than the plan's
	case c.planLies(r):
		r.Message = "No adapter seems to act on the set: its plan is not being carried out."
	case stale && !c.Plan.GetConverged():
		r.Message = "No adapter seems to act on the set: none holds the lease for it."
	default:
		return nil
	}
	if writer, at := c.statusWriter(); writer != "" {
		r.saw("set %s: %s wrote its status last, %s", c.Key.Name, writer, c.ago(at))
	}
	r.helps("Check that an adapter runs with --own="+c.World.Kind.APIVersion()+" for this namespace. Its log says what keeps it from acting.",
		shell.Command("kubectl get pods --all-namespaces -l app.kubernetes.io/name=%s", kube.Manager),
		shell.Command("kubectl -n %s get leases", kube.LeaseNamespace))
	return []*Reason{r}
}

// statusBehind reports whether nobody has looked at the spec since it changed. If the time of the change is unknown, as in a file
// without managed fields, it may just have happened.
func (c *Case) statusBehind(r *Reason) bool {
	behind := false
	for action := range actions(c.Plan) {
		behind = behind || action.GetUpdateStatus().GetStatus().GetObservedGeneration() > c.Snapshot.GetSet().GetStatus().GetObservedGeneration()
	}
	changed := latest(c.World.Set(c.Key), func(entry *metav1.ManagedFieldsEntry) bool { return entry.Subresource != "status" })
	if deleted := c.World.Set(c.Key).GetDeletionTimestamp(); changed.IsZero() && deleted != nil { // which is a new generation, too
		changed = deleted.Time
	}
	switch {
	case !behind:
		return false
	case !c.Dated || changed.IsZero():
		r.Severity = Wait
		return true
	case c.now().Sub(changed) < patience:
		return false
	}
	r.Since = new(changed.UTC())
	return true
}

// planLies reports whether the plan was the same a while ago and nobody has written anything since.
func (c *Case) planLies(r *Reason) bool {
	if !c.Dated || len(next(c.Plan)) == 0 {
		return false
	}
	last := c.lastWrite()
	if last.IsZero() || c.now().Sub(last) < patience {
		return false
	}
	before := c.PlanAt(c.now().Add(-patience))
	if before == nil || strings.Join(next(before), ", ") != strings.Join(next(c.Plan), ", ") {
		return false // it is only just due
	}
	r.saw("nothing was written to the set, its pods, claims and revisions %s, %s", c.since(last), c.ago(last))
	return true
}

// lastWrite returns the time of the last write to the set or its objects; zero if the set does not tell.
func (c *Case) lastWrite() time.Time {
	anything := func(*metav1.ManagedFieldsEntry) bool { return true }
	set := c.World.Set(c.Key)
	last := latest(set, anything)
	if last.IsZero() {
		return last
	}
	take := func(of time.Time) {
		if of.After(last) {
			last = of
		}
	}
	for _, pod := range c.Snapshot.GetPods() {
		take(written(c.World.Pod(c.key(pod.GetName())), anything))
	}
	changed := map[string]bool{}
	for action := range actions(c.Plan) {
		changed[action.GetTarget().GetName()] = true
	}
	for _, event := range c.World.Events {
		if changed[event.InvolvedObject.Name] && c.ofEarlierPod(&event) { // which somebody has replaced, or deleted, since
			take(world.LastSeen(&event))
		}
	}
	for _, claim := range c.Snapshot.GetClaims() {
		take(written(c.World.Claim(c.key(claim.GetName())), anything))
	}
	for _, revision := range c.Snapshot.GetRevisions() {
		take(time.UnixMilli(revision.GetCreatedUnixMs()))
	}
	return last
}

// written returns the time of the last write to an object, its creation and deletion included.
func written[T any, P interface {
	*T
	metav1.Object
}](object P, counts func(*metav1.ManagedFieldsEntry) bool) time.Time {
	if object == nil {
		return time.Time{}
	}
	last := latest(object, counts)
	if made := object.GetCreationTimestamp().Time; made.After(last) {
		last = made
	}
	return last
}

// latest returns the newest time of the managed fields that count.
func latest(object metav1.Object, counts func(*metav1.ManagedFieldsEntry) bool) (last time.Time) {
	for _, entry := range object.GetManagedFields() {
		if entry.Time != nil && entry.Time.After(last) && counts(&entry) {
			last = entry.Time.Time
		}
	}
	return last
}

// statusWriter returns who last wrote the set's status, and when; empty if the set does not tell.
func (c *Case) statusWriter() (manager string, at time.Time) {
	for _, entry := range c.World.Set(c.Key).GetManagedFields() {
		if entry.Subresource == "status" && entry.Time != nil && !entry.Time.Time.Before(at) {
			manager, at = entry.Manager, entry.Time.Time
		}
	}
	return manager, at
}

// oursToRun reports whether our adapter runs the set: it was the last to write the status.
func (c *Case) oursToRun() bool {
	writer, _ := c.statusWriter()
	return writer == "" || writer == kube.Manager
}

// readLeases notes the state of the leases under which an adapter may act on the set, and reports whether one was held and is no longer.
// Without the right to read leases it notes nothing.
func (c *Case) readLeases(r *Reason) (stale bool) {
	held, looked := false, 0
	names := c.World.Kind.LeasesOver(c.Key.Namespace)
	for _, name := range names {
		lease, known := c.World.Leases[name]
		if known {
			looked++
		}
		if lease == nil || lease.Spec.RenewTime == nil {
			continue
		}
		text, lives := c.lease(lease)
		r.saw("lease %s/%s: %s", kube.LeaseNamespace, name, text)
		held, stale = held || lives, stale || !lives
	}
	if looked == len(names) && !held && !stale {
		r.saw("no adapter has taken a lease for the set: neither %s is in %s", strings.Join(names, " nor "), kube.LeaseNamespace)
	}
	return stale && !held
}

// lease returns who holds a lease, and whether it is renewed. Clocks differ, so a lease that has just expired counts as held. An
// adapter with --leader-elect=false needs no lease, if it has written the status since.
func (c *Case) lease(lease *coordinationv1.Lease) (text string, lives bool) {
	spec := lease.Spec
	var lasts time.Duration
	if spec.LeaseDurationSeconds != nil {
		lasts = time.Duration(*spec.LeaseDurationSeconds) * time.Second
	}
	renewed := spec.RenewTime.Time
	writer, wrote := c.statusWriter()
	lives = c.now().Sub(renewed) <= lasts+patience || // one that was just given back is taken at once
		writer == kube.Manager && wrote.After(renewed.Add(lasts))
	if spec.HolderIdentity == nil || *spec.HolderIdentity == "" {
		return fmt.Sprintf("released at %s, %s", at(renewed), c.ago(renewed)), lives
	}
	return fmt.Sprintf("%s renewed it last at %s, %s; it lasts %s", *spec.HolderIdentity, at(renewed), c.ago(renewed), lasts), lives
}

func (c *Case) ago(at time.Time) string {
	return show.Ago(at, c.now())
}

// explainsIdleness reports whether a reason already explains why the plan is not carried out.
func explainsIdleness(code string) bool {
	return code == CodeNobodyActs || code == CodePaused || code == CodeRefused
}
