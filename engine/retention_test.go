package engine

import (
	"testing"

	"github.com/setplan/setplan/engine/model"
)

// TestRetentionTable: every row of the table in claims/retention.go, for an ordinal inside and outside the range.
func TestRetentionTable(t *testing.T) {
	for _, row := range []struct{ scaled, deleted, inside, outside string }{
		{"Retain", "Retain", "", ""},
		{"Retain", "Delete", "[StatefulSet/web]", "[StatefulSet/web]"},
		{"Delete", "Retain", "", "[Pod/web-1]"},
		{"Delete", "Delete", "[StatefulSet/web]", "[Pod/web-1]"},
	} {
		w := newWorld(2).withClaims()
		w.Set.WhenScaled, w.Set.WhenDeleted = row.scaled, row.deleted
		reason := "whenScaled " + row.scaled + ", whenDeleted " + row.deleted
		check(t, reason+", in range", "owners of web-1's claim", claimOwners(Decide(&w.Snapshot), "www-web-1"), row.inside)
		w.Set.Replicas = 1
		check(t, reason+", out of range", "owners of web-1's claim", claimOwners(Decide(&w.Snapshot), "www-web-1"), row.outside)
	}
}

func claimOwners(p *model.Plan, name string) string {
	for _, stage := range p.Stages {
		for _, step := range stage.Steps {
			for _, a := range step.Actions {
				if op, ok := a.Op.(model.SetClaimOwners); ok && a.Name == name {
					return detailOf(op)[1:]
				}
			}
		}
	}
	return ""
}

func TestRetentionLeavesWhatIsNotOurs(t *testing.T) {
	set := model.Owner{APIVersion: "apps/v1", Kind: "StatefulSet", Name: "web", UID: "set-uid", Controller: true, BlockOwnerDeletion: true}
	earlierSet := set
	earlierSet.UID = "earlier"
	merely := set
	merely.Controller = false
	foreign := model.Owner{APIVersion: "x/v1", Kind: "Backup", Name: "b", UID: "b-uid", Controller: true}
	earlierPod := model.Owner{APIVersion: "v1", Kind: "Pod", Name: "web-0", UID: "earlier"}
	for reason, row := range map[string]struct {
		owners        []model.Owner
		scaled        string
		actions, held string
	}{
		"the right owner is kept":                               {[]model.Owner{set}, "Retain", "", ""},
		"a reference to an earlier set is the collector's":      {[]model.Owner{earlierSet}, "Retain", "", "CLAIM_STALE www-web-0"},
		"a reference to an earlier pod is the collector's":      {[]model.Owner{earlierPod}, "Delete", "", "CLAIM_STALE www-web-0"},
		"an owner that is no controller becomes the controller": {[]model.Owner{merely}, "Retain", "set-claim-owners www-web-0", ""},
		"another controller is left alone":                      {[]model.Owner{foreign}, "Retain", "", "CLAIM_FOREIGN_CONTROLLER www-web-0"},
		"beside another controller our reference is removed":    {[]model.Owner{foreign, merely}, "Retain", "set-claim-owners www-web-0", "CLAIM_FOREIGN_CONTROLLER www-web-0"},
	} {
		w := newWorld(1).withClaims()
		w.Set.WhenDeleted, w.Set.WhenScaled = "Delete", row.scaled
		w.Claims[0].Owners = row.owners
		p := Decide(&w.Snapshot)
		check(t, reason, "actions", actions(p), row.actions)
		check(t, reason, "blocks", blocks(p), row.held)
	}
}

func TestClaimsHoldTheirPod(t *testing.T) {
	for reason, row := range map[string]struct {
		change        func(*world)
		actions, held string
	}{
		"a claim is made before its pod":              {func(w *world) { w.Claims = nil }, "create-claim www-web-0, create-pod web-0", ""},
		"a claim that is there is used":               {func(*world) {}, "create-pod web-0", ""},
		"a claim that is being deleted holds its pod": {func(w *world) { w.Claims[0].DeletedAt = noon }, "", "CLAIM_TERMINATING www-web-0"},
		"a claim of a scaled-away pod holds its successor": {func(w *world) {
			w.Set.WhenScaled = "Delete"
			w.Claims[0].Owners = []model.Owner{{APIVersion: "v1", Kind: "Pod", Name: "web-0", UID: "earlier", Controller: true}}
		}, "", "CLAIM_STALE www-web-0"},
		"a claim that has lost its volume is reported": {func(w *world) { w.Claims[0].Phase = model.ClaimLost }, "create-pod web-0", "CLAIM_LOST www-web-0"},
		"a bad retention value is read as Retain":      {func(w *world) { w.Set.WhenScaled = "delete" }, "create-pod web-0", "INVALID_SPEC web"},
	} {
		w := newWorld(1).withClaims().without("web-0")
		row.change(w)
		p := Decide(&w.Snapshot)
		check(t, reason, "actions", actions(p), row.actions)
		check(t, reason, "blocks", blocks(p), row.held)
	}
}

func TestPendingPodsGetTheirMissingClaims(t *testing.T) {
	w := newWorld(1).withClaims()
	w.Claims = nil
	check(t, "a running pod has its volume", "actions", actions(Decide(&w.Snapshot)), "")
	w.p("web-0").Phase, w.p("web-0").Ready = model.PodPending, false
	p := Decide(&w.settled().Snapshot)
	check(t, "a pending pod waits for its claim", "actions", actions(p), "create-claim www-web-0")
	check(t, "and says so", "blocks", blocks(p), "POD_NOT_READY web-0")
}
