package engine

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/state"
)

// TestNamesakeProperties: beside a namesake that has a pod, or was there first while this set has none, nothing is planned that takes its data
// or its pods, whatever else is so.
func TestNamesakeProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSnapshot(t)
		theirs := drawNamesake(t, s)
		p := Decide(s)
		checkPlan(t, s, p)
		drainOnly := !s.Policy.WholeSet()
		still := s.Rules.NamesakesKeepApart && s.Set.DeletedAt.IsZero() && !drainOnly
		goes := !s.Set.DeletedAt.IsZero() && !slices.Contains(s.Set.Finalizers, model.FinalizerDrain)
		for _, stage := range p.Stages {
			for _, step := range stage.Steps {
				for _, a := range step.Actions {
					switch op := a.Op.(type) {
					case model.DeleteClaim:
						t.Fatalf("a claim is deleted")
					case model.CreatePod, model.CreateClaim, model.AdoptPod, model.ReleasePod, model.PatchPod:
						if still || drainOnly {
							t.Fatalf("%s %s", a.Op.Traits().Name, a.Name)
						}
					case model.DeletePod:
						if still || theirs[a.UID] {
							t.Fatalf("%s is deleted", a.Name)
						}
					case model.PatchAnnotations:
						if i := slices.IndexFunc(s.Claims, func(c model.Claim) bool { return c.UID == a.UID }); i >= 0 && !goes && state.DrainSetOfClaim(&s.Claims[i]) == "web/uid-of-namesake" {
							t.Fatalf("the mark of %s is changed: %+v", a.Name, op)
						}
					case model.SetClaimOwners:
						if still || drainOnly {
							checkReleased(t, s, theirs, a.UID, op.Owners)
						}
					}
				}
			}
		}
	})
}

// drawNamesake gives a pod to a namesake, some of the others too, or only an old revision, and has it own and mark claims. It returns its pods
// by uid.
func drawNamesake(t *rapid.T, s *model.Snapshot) map[string]bool {
	w := &world{*s}
	owner := model.Owner{APIVersion: "example.com/v1", Kind: "StatefulSet", Name: "web", UID: "uid-of-namesake", Controller: true}
	theirs := map[string]bool{}
	away := rapid.Bool().Draw(t, "away")
	if away {
		w.Pods = slices.DeleteFunc(w.Pods, func(p model.Pod) bool { return len(p.Owners) > 0 && p.Owners[0].UID == w.Set.UID })
		w.Revisions = append(w.Revisions, model.Revision{Name: "web-theirs", UID: "uid-web-theirs", Owners: []model.Owner{owner}, CreatedAt: noon.Add(-24 * time.Hour)})
	} else {
		owner.Kind = rapid.SampledFrom([]string{"StatefulSet", "Database"}).Draw(t, "kind")
		w.pod(4).Owners, theirs["uid-web-4"] = []model.Owner{owner}, true
	}
	for i := range w.Pods {
		if away {
			break
		}
		p := &w.Pods[i]
		if parent, _, canonical, ok := model.ParseMember(p.Name); ok && canonical && parent == "web" && rapid.IntRange(0, 3).Draw(t, "theirs") == 0 {
			p.Owners, p.PodNameLabel, theirs[p.UID] = []model.Owner{owner}, true, true
			notePod(p, state.AnnotationDrainSet, "")
		}
	}
	if len(w.Set.ClaimTemplates) > 0 {
		w.claim("www-web-4")
	}
	for i := range w.Claims {
		c := &w.Claims[i]
		add := func(what string, o model.Owner) {
			if rapid.IntRange(0, 3).Draw(t, what) == 0 {
				c.Owners = append(slices.Clip(c.Owners), o)
			}
		}
		pod := ofPod(c.Name[len("www-"):])
		add("the pod's", pod)
		pod.UID = "uid-of-one-that-is-gone"
		add("that of one that is gone", pod)
		add("the namesake's", owner)
		add("ours", w.owners()[0])
		if rapid.IntRange(0, 3).Draw(t, "marked") == 0 {
			noteClaim(c, state.AnnotationDrainSet, "web/uid-of-namesake")
		}
	}
	*s = w.Snapshot
	return theirs
}

// checkReleased: of a claim's owners only the set, an earlier one and pods that nobody else's set controls may go, and none is added.
func checkReleased(t *rapid.T, s *model.Snapshot, theirs map[string]bool, uid string, left []model.Owner) {
	c := s.Claims[slices.IndexFunc(s.Claims, func(c model.Claim) bool { return c.UID == uid })]
	for _, o := range c.Owners {
		ours := o.UID == s.Set.UID || o.RefersTo(s.Set.APIVersion, s.Set.Kind, s.Set.Name) ||
			!theirs[o.UID] && slices.ContainsFunc(s.Pods, func(p model.Pod) bool { return p.UID == o.UID })
		if !ours && !slices.Contains(left, o) {
			t.Fatalf("%s loses %+v", c.Name, o)
		}
	}
	for _, o := range left {
		if !slices.Contains(c.Owners, o) {
			t.Fatalf("%s gets %+v", c.Name, o)
		}
	}
}
