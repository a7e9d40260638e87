package forecast

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/policy"
)

// TestRuns: what edits of a running set come to.
func TestRuns(t *testing.T) {
	three := running(t, newSet(3))
	stored := running(t, withClaims(newSet(3)))
	type want struct {
		verdict  Verdict
		restarts string
		peak     int
		added    string
		removed  string
		claims   string // deleted ones
		takes    time.Duration
	}
	for reason, row := range map[string]struct {
		s    *model.Snapshot
		want want
	}{
		"nothing to do": {three, want{verdict: Converged}},
		"a new template, in order": {edit(three, func(s *model.Set) { s.PodTemplate = image("web:2") }),
			want{verdict: Converged, restarts: "web-2 web-1 web-0", peak: 1, takes: 60 * time.Second}},
		"two at once": {edit(three, func(s *model.Set) {
			s.PodTemplate, s.RollingUpdate.MaxUnavailable = image("web:2"), &model.IntOrPercent{Count: 2}
			s.PodManagementPolicy = "Parallel"
		}), want{verdict: Converged, restarts: "web-2 web-1 web-0", peak: 2, takes: 40 * time.Second}},
		"minReadySeconds are waited for": {edit(three, func(s *model.Set) { s.PodTemplate, s.MinReadySeconds = image("web:2"), 30 }),
			want{verdict: Converged, restarts: "web-2 web-1 web-0", peak: 1, takes: 150 * time.Second}},
		"a partition holds": {edit(three, func(s *model.Set) { s.PodTemplate, s.RollingUpdate.Partition = image("web:2"), 2 }),
			want{verdict: Converged, restarts: "web-2", peak: 1, takes: 20 * time.Second}},
		"all at once": {edit(three, func(s *model.Set) {
			s.PodTemplate, s.StrategyType, s.RollingUpdate = image("web:2"), "Recreate", nil
		}), want{verdict: Converged, restarts: "web-0 web-1 web-2", peak: 3, takes: 40 * time.Second}},
		"all at once, once all are approved": {edit(three, func(s *model.Set) {
			s.PodTemplate, s.StrategyType, s.RollingUpdate = image("web:2"), "Recreate", nil
			s.Annotations = map[string]string{policy.Before: "agent"}
		}), want{verdict: Converged, restarts: "web-0 web-1 web-2", peak: 3, takes: 70 * time.Second}},
		"more pods take nothing away": {edit(three, func(s *model.Set) { s.Replicas = 5 }),
			want{verdict: Converged, added: "web-3 web-4", takes: 20 * time.Second}},
		"fewer pods, and claims stay": {edit(stored, func(s *model.Set) { s.Replicas = 1 }),
			want{verdict: Converged, removed: "web-2 web-1", takes: 20 * time.Second}},
		"fewer pods, and claims go with them": {edit(stored, func(s *model.Set) { s.Replicas, s.WhenScaled = 1, "Delete" }),
			want{verdict: Converged, removed: "web-2 web-1", claims: "www-web-2 www-web-1", takes: 20 * time.Second}},
		"a broken pod is replaced when its template is": {edit(breakPod(three, "web-1", true), func(s *model.Set) { s.PodTemplate = image("web:2") }),
			want{verdict: Converged, restarts: "web-1 web-2 web-0", peak: 1, takes: 60 * time.Second}},
		"one that was ready holds the update for ever": {edit(breakPod(three, "web-1", false), func(s *model.Set) { s.PodTemplate = image("web:2") }),
			want{verdict: BlockedForEver, peak: 1}},
		"a broken template stays so": {edit(breakPod(running(t, newSet(1)), "web-0", true), func(s *model.Set) { s.Replicas = 3 }),
			want{verdict: BlockedForEver, peak: 1}},
		"one broken pod does not break the template": {edit(breakPod(three, "web-2", true), func(s *model.Set) { s.Replicas, s.PodManagementPolicy = 4, "Parallel" }),
			want{verdict: BlockedForEver, peak: 1, added: "web-3", takes: 10 * time.Second}},
	} {
		t.Run(reason, func(t *testing.T) {
			_, r := forecastOf(t, row.s, Options{})
			got := want{r.Verdict, r.restarts(), r.Peak.Unavailable, names(r.Added), names(r.Removed), claimNames(r.Claims.Deleted), r.To.Sub(r.From)}
			if got != row.want {
				t.Errorf("got  %+v\nwant %+v\n%+v", got, row.want, r)
			}
		})
	}
}

func names(changes []PodChange) string {
	var list []string
	for _, c := range changes {
		list = append(list, c.Pod)
	}
	return strings.Join(list, " ")
}

func claimNames(changes []ClaimChange) string {
	var list []string
	for _, c := range changes {
		list = append(list, c.Claim)
	}
	return strings.Join(list, " ")
}

// TestRestartSaysAll: revisions, cause and times of a restart.
func TestRestartSaysAll(t *testing.T) {
	s := running(t, newSet(1))
	_, r := forecastOf(t, edit(s, func(set *model.Set) { set.PodTemplate = image("web:2") }), Options{Hosts: Hosts{GoneAfter: 7 * time.Second}})
	if len(r.Restarts) != 1 {
		t.Fatalf("%+v", r)
	}
	got := r.Restarts[0]
	if got.From != s.Set.Status.CurrentRevision || got.To == "" || got.To == got.From || got.Why.Code != model.CauseOutdated ||
		!got.DeletedAt.Equal(noon) || !got.MadeAt.Equal(noon.Add(7*time.Second)) {
		t.Errorf("%+v", got)
	}
}

// TestBlocksSayWho: a forecast that is blocked for ever names the block, the pod and the remedy, and what it assumes of the pod.
func TestBlocksSayWho(t *testing.T) {
	s := breakPod(running(t, newSet(3)), "web-1", false)
	_, r := forecastOf(t, edit(s, func(set *model.Set) { set.PodTemplate = image("web:2") }), Options{})
	found := slices.ContainsFunc(r.Blocks, func(b model.Block) bool {
		return b.Code == model.BlockPodNotReady && b.Name == "web-1" && strings.Contains(b.Remedy, "annotate pod web-1 ")
	})
	if !found || !slices.Contains(r.Assumptions, fmt.Sprintf(staysUnready, "web-1")) {
		t.Errorf("%+v", r)
	}
}

// TestIrreversible: what is lost, and with whom.
func TestIrreversible(t *testing.T) {
	s := edit(running(t, withClaims(newSet(2))), func(set *model.Set) { set.Replicas, set.WhenScaled = 1, "Delete" })
	_, r := forecastOf(t, s, Options{})
	if len(r.Irreversible) != 1 || r.Irreversible[0].Name != "www-web-1" || r.Irreversible[0].Message != fmt.Sprintf(claimGoesWith, model.KindPod, "web-1") {
		t.Errorf("%+v", r.Irreversible)
	}
	s = edit(running(t, withClaims(newSet(2))), func(set *model.Set) { set.PodTemplate = image("web:2") })
	s.Claims[1].DeletedAt = noon.Add(-time.Second)
	_, r = forecastOf(t, s, Options{})
	if len(r.Irreversible) != 1 || r.Irreversible[0].Name != "www-web-1" || r.Irreversible[0].Message != claimGoesAlready || len(r.Restarts) != 0 {
		t.Errorf("a claim that is being deleted: %+v, and %d restarts", r.Irreversible, len(r.Restarts))
	}
	s = edit(running(t, newSet(1)), func(set *model.Set) { set.PodTemplate, set.RevisionHistoryLimit = image("web:2"), 0 })
	old := s.Set.Status.CurrentRevision
	_, r = forecastOf(t, s, Options{})
	if len(r.Irreversible) != 1 || r.Irreversible[0].Kind != model.KindRevision || r.Irreversible[0].Name != old {
		t.Errorf("%+v", r.Irreversible)
	}
}

// TestUndecided: a forecast ends at its limit and says so.
func TestUndecided(t *testing.T) {
	s := edit(running(t, newSet(3)), func(set *model.Set) { set.PodTemplate = image("web:2") })
	steps, r := forecastOf(t, s, Options{MaxSteps: 3})
	if r.Verdict != Undecided || len(steps) > 3 || r.Steps != len(steps) {
		t.Errorf("%d steps, %+v", len(steps), r)
	}
}

// TestStops: a forecast that is stopped, or left early, has no result.
func TestStops(t *testing.T) {
	s := edit(running(t, newSet(3)), func(set *model.Set) { set.PodTemplate = image("web:2") })
	steps, result := Run(func() bool { return true }, s, Options{})
	for range steps {
		t.Error("a step of a forecast that was stopped")
	}
	if result() != nil {
		t.Error("a result of a forecast that was stopped")
	}
	asked := 0
	steps, result = Run(func() bool { asked++; return asked > 40 }, s, Options{})
	if n := len(slices.Collect(steps)); n == 0 || n > 39 || result() != nil {
		t.Errorf("%d steps before the stop, and result %+v", n, result())
	}
	steps, result = Run(nil, s, Options{})
	for range steps {
		break
	}
	if result() != nil {
		t.Error("a result of a forecast that was left")
	}
}

// TestSnapshotStays: a forecast changes nothing of its snapshot, and the order of the snapshot's lists changes nothing of the forecast.
func TestSnapshotStays(t *testing.T) {
	set := withClaims(newSet(5))
	set.WhenScaled = "Delete"
	s := edit(running(t, set), func(set *model.Set) { set.PodTemplate, set.Replicas = image("web:2"), 4 })
	before := written(t, s)
	steps, r := forecastOf(t, s, Options{})
	if after := written(t, s); after != before {
		t.Errorf("the snapshot was\n%s\nand is\n%s", before, after)
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 20 {
		random.Shuffle(len(s.Pods), func(i, j int) { s.Pods[i], s.Pods[j] = s.Pods[j], s.Pods[i] })
		random.Shuffle(len(s.Claims), func(i, j int) { s.Claims[i], s.Claims[j] = s.Claims[j], s.Claims[i] })
		otherSteps, other := forecastOf(t, s, Options{})
		if written(t, otherSteps) != written(t, steps) || written(t, other) != written(t, r) {
			t.Fatalf("in another order the forecast is\n%s\nand was\n%s", written(t, other), written(t, r))
		}
	}
}

func written(t *testing.T, what any) string {
	t.Helper()
	text, err := json.MarshalIndent(what, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestStepsAddUp: the actions of all steps are what the result says, and times never go back.
func TestStepsAddUp(t *testing.T) {
	s := edit(running(t, withClaims(newSet(3))), func(set *model.Set) { set.PodTemplate, set.Replicas = image("web:2"), 4 })
	steps, r := forecastOf(t, s, Options{})
	deletes, creates, peak, last := 0, 0, 0, s.ObservedAt
	for i, step := range steps {
		if step.Number != i+1 || step.At.Before(last) || len(step.Actions) == 0 {
			t.Errorf("step %d is %+v", i+1, step)
		}
		for _, e := range step.Events {
			if e.At.Before(last) || e.At.After(step.At) {
				t.Errorf("step %d at %s after %s: %+v", i+1, step.At, last, e)
			}
		}
		last, peak = step.At, max(peak, step.Unavailable)
		for _, a := range step.Actions {
			switch a.Op.(type) {
			case model.DeletePod:
				deletes++
			case model.CreatePod:
				creates++
			}
		}
	}
	if deletes != len(r.Restarts) || creates != len(r.Restarts)+len(r.Added) || peak != r.Peak.Unavailable || r.Steps != len(steps) {
		t.Errorf("%d deletes, %d creates, peak %d, %d steps: %+v", deletes, creates, peak, len(steps), r)
	}
}

// TestNames: each value has a name.
func TestNames(t *testing.T) {
	for v := Converged; v <= Undecided; v++ {
		if v.String() == "" || v.String() == Verdict(0).String() {
			t.Errorf("verdict %d is called %s", v, v)
		}
	}
	if Undecided.String() != "UNDECIDED" || Disowned.String() != "DISOWNED" || Started.String() != "STARTED" {
		t.Errorf("%s, %s, %s", Undecided, Disowned, Started)
	}
}
