package upgrade

import (
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

func result() *setplanv1.ForecastResult {
	cause := &setplanv1.Cause{Message: "Because."}
	return &setplanv1.ForecastResult{
		Verdict:         setplanv1.ForecastVerdict_FORECAST_VERDICT_CONVERGED,
		Restarts:        []*setplanv1.ForecastRestart{{Pod: "web-1", ToRevision: "b", Cause: cause}, {Pod: "web-0", ToRevision: "b", Cause: cause}},
		Removed:         []*setplanv1.ForecastChange{{Name: "web-3", Cause: cause}},
		Added:           []*setplanv1.ForecastChange{{Name: "web-2", Revision: "b"}},
		ClaimsDeleted:   []*setplanv1.ForecastChange{{Name: "c-3", Cause: cause}},
		Irreversible:    []*setplanv1.ForecastLoss{{Subject: &setplanv1.Target{Kind: "ControllerRevision", Name: "web-r"}}},
		PeakUnavailable: 1,
		Blocks:          []*setplanv1.Block{{Code: 3, Subject: &setplanv1.Target{Name: "web-0"}, Message: "It waits."}},
	}
}

// TestBetween: every kind of difference is told, and only more deletions of pods and claims disrupt.
func TestBetween(t *testing.T) {
	for name, test := range map[string]struct {
		change   func(r *setplanv1.ForecastResult) // what the newer planner foresees
		disrupts bool
		words    []string
	}{
		"the same": {func(*setplanv1.ForecastResult) {}, false, nil},
		"other words and times": {func(r *setplanv1.ForecastResult) {
			r.Restarts[0].Cause.Message, r.Blocks[0].Message, r.Assumptions, r.EndsAt = "For another reason.", "Waiting.", []string{"a"}, nil
		}, false, nil},
		"a restart more": {func(r *setplanv1.ForecastResult) {
			r.Restarts = append(r.Restarts, &setplanv1.ForecastRestart{Pod: "web-4", ToRevision: "c", Cause: &setplanv1.Cause{Message: "So."}})
		}, true, []string{"pod web-4: restarts at c; with the old planner: stays as it is. So."}},
		"a restart twice": {func(r *setplanv1.ForecastResult) {
			r.Restarts = append(r.Restarts, &setplanv1.ForecastRestart{Pod: "web-0", ToRevision: "c"})
		}, true, []string{"pod web-0: restarts at b, then restarts at c; with the old planner: restarts at b"}},
		"one restart for another": {func(r *setplanv1.ForecastResult) { r.Restarts[0].Pod = "web-7" }, true,
			[]string{"pod web-7: restarts at b; with the old planner: stays as it is. Because.", "pod web-1: stays as it is; with the old planner: restarts at b"}},
		"a restart less":   {func(r *setplanv1.ForecastResult) { r.Restarts = r.Restarts[1:] }, false, []string{"pod web-1: stays as it is; with the old planner: restarts at b"}},
		"another revision": {func(r *setplanv1.ForecastResult) { r.Restarts[1].ToRevision = "c" }, false, []string{"pod web-0: restarts at c; with the old planner: restarts at b"}},
		"not made again":   {func(r *setplanv1.ForecastResult) { r.Restarts[1].ToRevision = "" }, true, []string{"pod web-0: is deleted and not recreated; with the old planner: restarts at b. Because."}},
		"removed and not restarted": {func(r *setplanv1.ForecastResult) {
			r.Restarts, r.Removed = r.Restarts[:1], append(r.Removed, &setplanv1.ForecastChange{Name: "web-0"})
		}, true, []string{"pod web-0: is removed; with the old planner: restarts at b"}},
		"restarted and not removed": {func(r *setplanv1.ForecastResult) {
			r.Restarts, r.Removed = append(r.Restarts, &setplanv1.ForecastRestart{Pod: "web-3", ToRevision: "b"}), nil
		}, false, []string{"pod web-3: restarts at b; with the old planner: is removed"}},
		"another order": {func(r *setplanv1.ForecastResult) { slices.Reverse(r.Restarts) }, false, []string{"order of restarts: web-0, web-1; with the old planner: web-1, web-0"}},
		"containers restarted": {func(r *setplanv1.ForecastResult) {
			r.ContainerRestarts = []*setplanv1.ForecastChange{{Name: "web-5", Revision: "b", Cause: &setplanv1.Cause{Message: "So."}}}
		}, true, []string{"pod web-5: restarts its containers at b; with the old planner: stays as it is. So."}},
		"containers in place of the pod": {func(r *setplanv1.ForecastResult) {
			r.Restarts, r.ContainerRestarts = r.Restarts[1:], []*setplanv1.ForecastChange{{Name: "web-1", Revision: "b"}}
		}, false, []string{"pod web-1: restarts its containers at b; with the old planner: restarts at b"}},
		"a pod removed": {func(r *setplanv1.ForecastResult) {
			r.Removed = append(r.Removed, &setplanv1.ForecastChange{Name: "web-5"})
		}, true, []string{"pod web-5: is removed; with the old planner: stays as it is"}},
		"a pod not added": {func(r *setplanv1.ForecastResult) { r.Added = nil }, false, []string{"pod web-2: stays as it is; with the old planner: is added at b"}},
		"a drain pod":     {func(r *setplanv1.ForecastResult) { r.DrainPods = []*setplanv1.ForecastChange{{Name: "d"}} }, false, []string{"drain pod d: is created; with the old planner: stays as it is"}},
		"a claim deleted": {func(r *setplanv1.ForecastResult) {
			r.ClaimsDeleted = append(r.ClaimsDeleted, &setplanv1.ForecastChange{Name: "c-0"})
		}, true, []string{"claim c-0: is deleted; with the old planner: stays as it is"}},
		"a claim made":         {func(r *setplanv1.ForecastResult) { r.ClaimsMade = []*setplanv1.ForecastChange{{Name: "c-0"}} }, false, []string{"claim c-0: is created; with the old planner: stays as it is"}},
		"a claim changed":      {func(r *setplanv1.ForecastResult) { r.ClaimsChanged = []*setplanv1.ForecastChange{{Name: "c-0"}} }, false, []string{"claim c-0: is changed; with the old planner: stays as it is"}},
		"a revision kept":      {func(r *setplanv1.ForecastResult) { r.Irreversible = nil }, false, []string{"ControllerRevision web-r: stays as it is; with the old planner: is deleted for good"}},
		"more unavailable":     {func(r *setplanv1.ForecastResult) { r.PeakUnavailable = 2 }, false, []string{"unavailable at once: at most 2; with the old planner: at most 1"}},
		"no end":               {func(r *setplanv1.ForecastResult) { r.Verdict = 2 }, false, []string{"end: gets stuck; with the old planner: in the desired state"}},
		"no end that is known": {func(r *setplanv1.ForecastResult) { r.Verdict = 3 }, false, []string{"end: does not end; with the old planner: in the desired state"}},
		"the set gone":         {func(r *setplanv1.ForecastResult) { r.SetGone = true }, false, []string{"end: the set is gone; with the old planner: in the desired state"}},
		"another block": {func(r *setplanv1.ForecastResult) { r.Blocks[0].Code, r.Blocks[0].Message = 4, "No." }, false,
			[]string{"held back at the end with the new planner only: web-0: No.", "held back at the end with the old planner only: web-0: It waits."}},
		"a line forged": {func(r *setplanv1.ForecastResult) { r.Restarts[0].ToRevision = "b\nx" }, false, []string{`pod web-1: restarts at b x; with the old planner: restarts at b`}},
	} {
		now := proto.CloneOf(result())
		test.change(now)
		d := Between(Foreseen{Result: result()}, Foreseen{Result: now})
		if test.words == nil {
			if d != nil {
				t.Errorf("%s: %v", name, d.Words)
			}
			continue
		}
		if d == nil {
			t.Errorf("%s: no difference", name)
			continue
		}
		if d.Disrupts != test.disrupts || !slices.Equal(d.Words, test.words) {
			t.Errorf("%s: disrupts %v:\n%s\nwant %v:\n%s", name, d.Disrupts, strings.Join(d.Words, "\n"), test.disrupts, strings.Join(test.words, "\n"))
		}
	}
}

// TestPodInPlaceOfContainers: a pod that is deleted loses more than containers that restart.
func TestPodInPlaceOfContainers(t *testing.T) {
	old, now := result(), result()
	old.ContainerRestarts = []*setplanv1.ForecastChange{{Name: "web-5", Revision: "b"}}
	now.Restarts = append(now.Restarts, &setplanv1.ForecastRestart{Pod: "web-5", ToRevision: "b"})
	if d := Between(Foreseen{Result: old}, Foreseen{Result: now}); d == nil || !d.Disrupts {
		t.Errorf("%+v", d)
	}
}

// TestSteps: forecasts that come to the same may write differently on the way.
func TestSteps(t *testing.T) {
	step := func(names ...string) *setplanv1.ForecastStep {
		s := &setplanv1.ForecastStep{}
		for _, name := range names {
			s.Actions = append(s.Actions, &setplanv1.ForecastAction{Operation: "delete_pod", Target: &setplanv1.Target{Name: name}})
		}
		return s
	}
	old := Foreseen{Result: result(), Steps: []*setplanv1.ForecastStep{step("a"), step("b")}}
	for want, steps := range map[string][]*setplanv1.ForecastStep{
		"": {step("a"), step("b")},
		"step 2: delete pod c; with the old planner: delete pod b":               {step("a"), step("c"), step("d")},
		"step 2: none; with the old planner: delete pod b":                       {step("a")},
		"step 3: delete pod c; with the old planner: none":                       {step("a"), step("b"), step("c")},
		"step 1: delete pod a, delete pod b; with the old planner: delete pod a": {step("a", "b")},
	} {
		d := Between(old, Foreseen{Result: result(), Steps: steps})
		if got := d.words(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func (d *Difference) words() string {
	if d == nil {
		return ""
	}
	return strings.Join(d.Words, "\n")
}
