package engine

import (
	"strings"
	"testing"

	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/state"
)

// endangered is a set of three whose middle pod has a claim of some kind.
func endangered(claim func(w *world, c *model.Claim)) *world {
	w := newWorld(3).withClaims()
	claim(w, w.c("www-web-1"))
	return w
}

func isGoing(_ *world, c *model.Claim) { c.DeletedAt = noon }

func isLost(_ *world, c *model.Claim) { c.Phase = model.ClaimLost }

func isMissing(w *world, c *model.Claim) { *c = model.Claim{Name: "other"} }

func ofEarlierSet(w *world, c *model.Claim) {
	c.Owners = w.owners()
	c.Owners[0].UID = "earlier"
}

// ofEarlierSetWhichDeletes is such a claim where nobody may release it.
func ofEarlierSetWhichDeletes(w *world, c *model.Claim) {
	w.Set.WhenDeleted = "Delete"
	for i := range w.Claims {
		w.Claims[i].Owners = w.owners()
	}
	ofEarlierSet(w, c)
}

// TestClaimsInDanger: whatever the cause, no pod is deleted that is the last to hold a claim, or whose replacement could not start with its data. A
// block says so at once, whether or not anything is to be deleted. The reason is the name.
func TestClaimsInDanger(t *testing.T) {
	only := func(w *world) *world { w.without("web-2").Set.Replicas = 2; return w }
	const going, lost, stale = "CLAIM_TERMINATING www-web-1", "CLAIM_LOST www-web-1", "CLAIM_STALE www-web-1"
	const release = "set-claim-owners www-web-1"
	for reason, row := range map[string]struct {
		w             *world
		actions, held string
	}{
		"a deleted claim":              {endangered(isGoing), "", going},
		"a lost claim":                 {endangered(isLost), "", lost},
		"a missing claim":              {endangered(isMissing), "", lost},
		"a claim of an earlier set":    {endangered(ofEarlierSet), release, ""},
		"the same, if it may not stay": {endangered(ofEarlierSetWhichDeletes), "", stale},

		"deleted, an update":                  {only(endangered(isGoing)).edited(), "", going + ", UPDATE_WAITS_FOR_POD web-1"},
		"lost, an update":                     {only(endangered(isLost)).edited(), "", lost + ", UPDATE_WAITS_FOR_POD web-1"},
		"missing, an update":                  {only(endangered(isMissing)).edited(), "", lost + ", UPDATE_WAITS_FOR_POD web-1"},
		"of an earlier set, an update":        {only(endangered(ofEarlierSet)).edited(), release, "UPDATE_WAITS_FOR_POD web-1"},
		"it may not stay, an update":          {only(endangered(ofEarlierSetWhichDeletes)).edited(), "", stale + ", UPDATE_WAITS_FOR_POD web-1"},
		"deleted, an update under Parallel":   {only(endangered(isGoing)).parallel().edited(), "", going + ", UPDATE_WAITS_FOR_POD web-1"},
		"deleted, an update of another pod":   {endangered(isGoing).edited(), "delete-pod web-2", going + ", UPDATE_BUDGET web-1"},
		"deleted, and somebody chose the pod": {recreating(endangered(isGoing), "web-1"), "", going + ", RECREATE_WAITS web-1"},
		"somebody chose another pod, too":     {recreating(endangered(isGoing), "web-1", "web-0"), "delete-pod web-0", going},

		"deleted, a repair": {func() *world {
			w := endangered(isGoing).parallel().edited()
			w.budget("", 1)
			w.Set.RollingUpdate.Partition = 3
			w.neverReady("web-1", "web-another")
			return w
		}(), "", going + ", PARTITION_HELD web-0, POD_NOT_READY web-1, REPAIR_WAITS web-1"},
		"another pod is repaired nevertheless": {func() *world {
			w := endangered(isGoing).parallel().edited()
			w.Set.RollingUpdate.Partition = 3
			w.neverReady("web-1", "web-another")
			w.neverReady("web-0", "web-another")
			return w
		}(), "delete-pod web-0", going + ", POD_NOT_READY web-0, PARTITION_HELD web-0"},

		"deleted, and the pod is outside the range": {func() *world {
			w := only(endangered(isGoing))
			w.Set.Replicas = 1
			return w
		}(), "", going + ", SCALE_DOWN_WAITS_FOR_POD web-1"},
		"outside the range nothing replaces the pod of a lost claim": {func() *world {
			w := only(endangered(isLost))
			w.Set.Replicas = 1
			return w
		}(), "delete-pod web-1", ""},
		"under whenScaled Delete its claim is to go": {func() *world {
			w := only(endangered(isGoing))
			w.Set.WhenScaled, w.Set.Replicas = "Delete", 1
			w.c("www-web-1").Owners = []model.Owner{ofPod("web-1")}
			return w
		}(), "delete-pod web-1", ""},

		"a pod that has ended holds no claim": {endangered(isGoing).failed("web-1"), "delete-pod web-1", going},
		"nor does one that no kubelet has taken": {func() *world {
			w := endangered(isGoing)
			p := w.p("web-1")
			p.Phase, p.Ready, p.Annotations = model.PodPending, false, &model.Annotations{Values: map[string]string{state.AnnotationRecreate: state.RecreateWanted}}
			return w
		}(), "delete-pod web-1", going},
		"a pod that is being deleted": {func() *world {
			w := endangered(isGoing)
			w.p("web-1").DeletedAt = noon
			return w
		}(), "", "POD_TERMINATING web-1"},
		"the list of claims may be behind that of the pods": {func() *world {
			w := endangered(isMissing)
			w.p("web-1").CreatedAt = noon.Add(1 - state.Moment)
			return w
		}(), "", ""},
		"a pod that does not use the claim": {func() *world {
			w := only(endangered(isGoing)).edited()
			w.p("web-1").Volumes = nil
			return w
		}(), "delete-pod web-1", "UPDATE_BUDGET web-0, IDENTITY_MISMATCH web-1"},
		"KUBERNETES_1_36 deletes the pod": {func() *world {
			w := only(endangered(isGoing)).edited()
			w.Rules = model.Kubernetes136()
			return w
		}(), "delete-pod web-1", ""},
	} {
		w := row.w.settled()
		p := Decide(&w.Snapshot)
		check(t, reason, "actions", actions(p), row.actions)
		check(t, reason, "blocks", blocks(p), row.held)
		if strings.Contains(row.held, "CLAIM_") && p.Done {
			t.Errorf("%s: the set counts as done", reason)
		}
	}
}

func recreating(w *world, names ...string) *world {
	for _, name := range names {
		w.p(name).Annotations = &model.Annotations{Values: map[string]string{state.AnnotationRecreate: state.RecreateWanted}}
	}
	return w
}
