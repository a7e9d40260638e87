package engine

import (
	"fmt"
	"slices"
	"testing"

	"github.com/setplan/setplan/engine/model"
)

// oddOwners are references as a user might write them: right, half right and wrong, to the set, to its pod, and to others.
func oddOwners(w *world) []model.Owner {
	set, pod := w.owners()[0], ofPod("web-1")
	changed := func(o model.Owner, change func(*model.Owner)) model.Owner { change(&o); return o }
	plain := func(o *model.Owner) { o.Controller = false }
	return []model.Owner{
		set, changed(set, plain), pod, changed(pod, plain),
		changed(set, func(o *model.Owner) { o.UID = "earlier" }), changed(pod, func(o *model.Owner) { o.UID = "earlier" }),
		changed(set, func(o *model.Owner) { o.Name = "other" }), changed(set, func(o *model.Owner) { o.APIVersion, o.Controller = "apps/v1beta1", false }),
		changed(pod, func(o *model.Owner) { o.Name = "web-01" }), changed(pod, func(o *model.Owner) { o.Kind, o.Controller = "PodTemplate", false }),
		{APIVersion: "v1", Kind: "ConfigMap", Name: "keeper", UID: "keeper", Controller: true}, {APIVersion: "v1", Kind: "ConfigMap", Name: "keeper", UID: "keeper"},
	}
}

// TestOddOwnersComeToRest: whatever owners a claim has, each write changes them, and after a few writes there is none. A write without
// a change would be sent for ever. No plan has a block twice on the way.
func TestOddOwnersComeToRest(t *testing.T) {
	odd := oddOwners(newWorld(1))
	lists := [][]model.Owner{nil}
	for range 3 {
		for _, list := range lists[:len(lists):len(lists)] {
			for _, o := range odd {
				lists = append(lists, append(slices.Clone(list), o))
			}
		}
	}
	for _, policy := range [][2]string{{"Retain", "Retain"}, {"Retain", "Delete"}, {"Delete", "Retain"}, {"Delete", "Delete"}} {
		for _, replicas := range []int32{1, 2} {
			for _, owners := range lists {
				w := newWorld(2).withClaims()
				w.Set.WhenScaled, w.Set.WhenDeleted, w.Set.Replicas = policy[0], policy[1], replicas
				w.p("web-0").Ready = false // nothing is deleted meanwhile
				w.Claims[1].Owners = slices.Clone(owners)
				if problem := w.ownersComeToRest(); problem != "" {
					t.Fatalf("whenScaled %s, whenDeleted %s, %d replicas: %s; the owners had been %+v", policy[0], policy[1], replicas, problem, owners)
				}
			}
		}
	}
	t.Logf("%d lists of owners", len(lists))
}

// ownersComeToRest carries out the plans for owners, and returns what is wrong.
func (w *world) ownersComeToRest() string {
	for range 4 {
		p := Decide(&w.Snapshot)
		if b := toldTwice(p); b != nil {
			return fmt.Sprintf("%s %s is told twice", b.Code, b.Name)
		}
		writes := 0
		for _, stage := range p.Stages {
			for _, step := range stage.Steps {
				for _, a := range step.Actions {
					op, ok := a.Op.(model.SetClaimOwners)
					if !ok {
						continue
					}
					if slices.Equal(w.c(a.Name).Owners, op.Owners) {
						return fmt.Sprintf("a write changes nothing: %+v", op.Owners)
					}
					writes++
					w.c(a.Name).Owners = op.Owners
				}
			}
		}
		if writes == 0 {
			return ""
		}
	}
	return fmt.Sprintf("there is no end; now %+v", w.Claims[1].Owners)
}

// toldTwice returns a block about a claim that occurs twice in the plan.
func toldTwice(p *model.Plan) *model.Block {
	told := map[string]bool{}
	for i := range p.Blocks {
		b := &p.Blocks[i]
		key := b.Code.String() + b.Name
		if b.Kind == model.KindClaim && told[key] {
			return b
		}
		told[key] = true
	}
	return nil
}

// TestClaimIsToldOnce: the release of wanted claims and the walk over the ordinals both look at an ordinal's claims. A problem of a
// claim gets one block.
func TestClaimIsToldOnce(t *testing.T) {
	w := handedOver(1)
	w.Set.ClaimTemplates = append(w.Set.ClaimTemplates, []byte(`{"metadata":{"name":"logs"},"spec":{}}`))
	w.p("web-0").Volumes = []string{"logs", "www"}
	for owner, want := range map[string]string{
		"keeper":  "CLAIM_FOREIGN_CONTROLLER logs-web-0",
		"earlier": "CLAIM_STALE logs-web-0",
	} {
		w.Claims = w.Claims[:1]
		other := w.claim("logs-web-0")
		other.Owners = []model.Owner{ofPod("web-0")}
		if other.Owners[0].UID = owner; owner == "keeper" {
			other.Owners[0].Kind = "ConfigMap"
		}
		check(t, owner, "blocks", blocks(Decide(&w.settled().Snapshot)), want)
	}
}
