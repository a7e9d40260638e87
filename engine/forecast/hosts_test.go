package forecast

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/setplan/setplan/engine/model"
)

// events are what happens to an object, with the second.
func events(steps []Step, r *Result, name string) (list []string) {
	all := r.Events
	for _, step := range slices.Backward(steps) {
		all = append(slices.Clone(step.Events), all...)
	}
	for _, e := range all {
		if e.Name == name {
			list = append(list, fmt.Sprintf("%s at %s", e.Kind, e.At.Sub(r.From)))
		}
	}
	return list
}

// changePod changes one pod of a copy of the snapshot.
func changePod(s *model.Snapshot, name string, change func(*model.Pod)) *model.Snapshot {
	changed := *s
	changed.Pods = slices.Clone(s.Pods)
	i := slices.IndexFunc(changed.Pods, func(p model.Pod) bool { return p.Name == name })
	change(&changed.Pods[i])
	return &changed
}

// TestClaimInUseStays: a deleted claim goes once no pod on a host mounts it, and the next pod waits for a new one.
func TestClaimInUseStays(t *testing.T) {
	s := edit(running(t, withClaims(newSet(1))), func(set *model.Set) { set.PodTemplate = image("web:2") })
	s.Claims = slices.Clone(s.Claims)
	s.Claims[0].DeletedAt = noon.Add(-time.Second)
	s.Rules.WantedClaimsStay = false // else the pod is not deleted
	steps, r := forecastOf(t, s, Options{})
	if got, want := events(steps, r, "www-web-0"), []string{"GONE at 10s", "BOUND at 10s"}; !slices.Equal(got, want) {
		t.Errorf("the claim: %q, want %q", got, want)
	}
	if len(r.Claims.Made) != 1 || len(r.Claims.Deleted) != 0 || r.Verdict != Converged {
		t.Errorf("%+v", r)
	}
}

// TestPodWaitsForItsClaims: a pod without its claim does not start, for ever where nobody may make one.
func TestPodWaitsForItsClaims(t *testing.T) {
	s := changePod(running(t, withClaims(newSet(1))), "web-0", func(p *model.Pod) {
		p.Phase, p.Ready, p.StartedAt, p.ReadyChangedAt = model.PodPending, false, time.Time{}, time.Time{}
	})
	s.Claims = nil
	steps, r := forecastOf(t, s, Options{})
	if got, want := events(steps, r, "web-0"), []string{"STARTED at 0s", "READY at 10s"}; !slices.Equal(got, want) || r.Verdict != Converged {
		t.Errorf("the pod: %q, want %q; %+v", got, want, r)
	}
	s.Capabilities &^= model.CanCreateClaim
	steps, r = forecastOf(t, s, Options{})
	if got := events(steps, r, "web-0"); len(got) > 0 || r.Verdict != BlockedForEver {
		t.Errorf("the pod without a claim: %q; %+v", got, r)
	}
}

// TestYoungPods: a pod that is starting goes on with that, though its images may not be pulled yet, and one whose time is over does not.
func TestYoungPods(t *testing.T) {
	three := running(t, newSet(3))
	for age, want := range map[time.Duration][]string{4 * time.Second: {"READY at 6s"}, 10 * time.Second: nil} {
		s := changePod(three, "web-2", func(p *model.Pod) {
			p.CreatedAt = noon.Add(-age)
			p.Phase, p.Ready, p.StartedAt, p.ReadyChangedAt = model.PodPending, false, p.CreatedAt, p.CreatedAt
		})
		steps, r := forecastOf(t, s, Options{})
		if got := events(steps, r, "web-2"); !slices.Equal(got, want) || (r.Verdict == Converged) != (want != nil) {
			t.Errorf("after %s: %q, want %q; %v", age, got, want, r.Verdict)
		}
	}
}

// TestNobodyKnowsSinceWhen: a pod that is ready since nobody knows when never counts as available; that is no reason to look for ever.
func TestNobodyKnowsSinceWhen(t *testing.T) {
	s := changePod(running(t, newSet(1)), "web-0", func(p *model.Pod) { p.ReadyChangedAt = time.Time{} })
	_, r := forecastOf(t, edit(s, func(set *model.Set) { set.MinReadySeconds = 5 }), Options{})
	if r.Verdict != BlockedForEver || !slices.ContainsFunc(r.Blocks, func(b model.Block) bool { return b.Code == model.BlockPodNotAvailable }) {
		t.Errorf("%+v", r)
	}
}

// drainedSet is a set with a drain policy.
func drainedSet(replicas int32, more map[string]string) model.Set {
	set := withClaims(newSet(replicas))
	set.Annotations = map[string]string{
		"setplan.io/drain-pod-template": `{"spec":{"containers":[{"name":"drain","image":"drain:1"}]}}`,
	}
	for name, value := range more {
		set.Annotations[name] = value
	}
	return set
}

// TestDrains: asked pods answer, drain pods succeed with their token, and then the claims go.
func TestDrains(t *testing.T) {
	s := running(t, drainedSet(2, map[string]string{"setplan.io/drain-ask": "true", "setplan.io/drain-proof": "Token"}))
	steps, r := forecastOf(t, edit(s, func(set *model.Set) { set.Replicas = 1 }), Options{})
	want := []string{"ANSWERED at 10s", "GONE at 20s", "STARTED at 20s", "DRAINED at 1m20s", "GONE at 1m20s"}
	if got := events(steps, r, "web-1"); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if r.Verdict != Converged || names(r.DrainPods) != "web-1" || names(r.Removed) != "web-1" || claimNames(r.Claims.Deleted) != "www-web-1" ||
		len(r.Irreversible) != 1 || r.Irreversible[0].Message != claimIsDeleted || len(r.Restarts) != 0 {
		t.Errorf("%+v", r)
	}
}

// TestSetGoes: a deleted set takes along what it owns, or leaves it, and is drained first where that is asked for.
func TestSetGoes(t *testing.T) {
	deleted := func(set model.Set, finalizers ...string) *model.Snapshot {
		s := edit(running(t, set), func(set *model.Set) { set.DeletedAt = noon })
		s.Set.Finalizers = append(slices.Clone(s.Set.Finalizers), finalizers...)
		return s
	}
	keeping, giving := withClaims(newSet(2)), withClaims(newSet(2))
	giving.WhenDeleted = "Delete"
	for reason, row := range map[string]struct {
		s               *model.Snapshot
		removed, claims string
	}{
		"in the foreground": {deleted(keeping, finalizerForeground), "web-0 web-1", ""},
		"with its claims":   {deleted(giving, finalizerForeground), "web-0 web-1", "www-web-0 www-web-1"},
		"leaving its pods":  {deleted(giving, model.FinalizerOrphan), "", ""},
		"drained":           {deleted(drainedSet(2, map[string]string{"setplan.io/drain-on-delete": "true"})), "web-1 web-0", "www-web-1 www-web-0"},
		"in the background": {deleted(giving), "web-0 web-1", "www-web-0 www-web-1"},
	} {
		_, r := forecastOf(t, row.s, Options{})
		if !r.SetGone || r.Verdict != Converged || names(r.Removed) != row.removed || claimNames(r.Claims.Deleted) != row.claims || r.Peak.Unavailable != 0 {
			t.Errorf("%s: %+v", reason, r)
		}
	}
}
