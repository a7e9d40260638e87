package engine

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/policy"
	"github.com/setplan/setplan/engine/state"
)

// TestAttempts: an invalid number of drain pods still shows that a drain has begun.
func TestAttempts(t *testing.T) {
	for text, want := range map[string]int32{
		"3": 3, "2147483647": 2147483647, "+2": 2, "007": 7,
		"": 1, "x": 1, "0": 1, "-1": 1, "2147483648": 1, "99999999999": 1, "1.5": 1, " 3": 1, "-2147483648": 1,
		strings.Repeat("0", 10) + "3": 3, // the longest number that is read
		strings.Repeat("0", 11) + "3": 1, // longer: it could be zeros without end
	} {
		c := &model.Claim{Annotations: &model.Annotations{Values: map[string]string{state.AnnotationDrainAttempts: text}}}
		if got := state.DrainAttempts(c); got != want {
			t.Errorf("%q: %d attempts, want %d", text, got, want)
		}
	}
	for reason, c := range map[string]*model.Claim{
		"no annotations":     {},
		"another annotation": {Annotations: &model.Annotations{Values: map[string]string{"setplan.io/later": "3"}}},
	} {
		if got := state.DrainAttempts(c); got != 0 {
			t.Errorf("%s: %d attempts", reason, got)
		}
	}
}

// TestBegunAt: a time must be valid in RFC 3339, in UTC, in milliseconds, and in protobuf's range.
func TestBegunAt(t *testing.T) {
	at, zeros := noon.Add(-30*time.Second), "2026-03-01T11:59:30."+strings.Repeat("0", state.LongestTime-len("2026-03-01T11:59:30.Z"))
	for text, want := range map[string]time.Time{
		"2026-03-01T11:59:30Z":      at,
		"2026-03-01T13:59:30+02:00": at,
		"2026-03-01T11:59:30.0019Z": at.Add(time.Millisecond),
		zeros + "Z":                 at, // the longest text that is read
		zeros + "0Z":                {}, // longer
		"9999-12-31T23:59:59Z":      time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC),
		"9999-12-31T23:59:59-01:00": {}, // the year 10000
		"0001-01-01T00:00:00+01:00": {}, // the year 0
		"1970-01-01T00:00:00Z":      {}, // 0 means unset everywhere in a snapshot
		"yesterday":                 {},
		"2026-03-01 11:59:30":       {},
		"":                          {},
	} {
		c := &model.Claim{Annotations: &model.Annotations{Values: map[string]string{state.AnnotationDrainBegun: text}}}
		if got := state.DrainBegunAt(c); got != want { // not Equal: plans are compared field by field
			t.Errorf("%q: begun at %v, want %v", text, got, want)
		}
	}
	if got := state.DrainBegunAt((&model.Claim{})); !got.IsZero() {
		t.Errorf("no annotations: begun at %v", got)
	}
}

// TestSharedLists: drain pods that share a long list give the same plan as pods with lists of their own.
func TestSharedLists(t *testing.T) {
	const pods = 20
	draining := func(shared bool) *model.Plan {
		w := draining(pods).scaledTo(0)
		w.Set.PodManagementPolicy, w.Set.Annotations[policy.DrainProof] = "Parallel", "Token"
		for i := range pods {
			w.drainPod(i, model.PodSucceeded)
		}
		list := "uid-www-web-3,uid-www-web-7," + strings.Repeat("x,", 50_000) + "uid-www-web-11"
		one := &model.Annotations{Values: map[string]string{state.AnnotationDrainSet: webMark, state.AnnotationDrainClaims: list}}
		for i := range w.Pods {
			p := &w.Pods[i]
			p.Annotations = one
			if !shared {
				p.Annotations = &model.Annotations{Values: one.Values}
			}
			p.Ended = &model.PodEnded{Messages: []string{tokenIn(webMark, list)}}
		}
		w.ofSet("www-web-3") // so that the drained claims are looked up
		return Decide(&w.Snapshot)
	}
	shared, apart := draining(true), draining(false)
	check(t, "shared", "plan", Describe(shared), Describe(apart))
	check(t, "shared", "claims that go", fmt.Sprint(strings.Count(Describe(shared), "delete-claim")), "3")
}

// TestHasNotes: which annotations of a pod are traces of a drain.
func TestHasNotes(t *testing.T) {
	for name, want := range map[string]bool{
		state.AnnotationDrainSet: true, state.AnnotationDrainClaims: true, state.AnnotationDrainRequest: true, state.AnnotationDrainAnswer: true,
		state.AnnotationDrainAttempts: false, "setplan.io/later": false, "other/drain-set": false,
	} {
		for text, written := range map[string]bool{"x": want, "": false} {
			p := &model.Pod{Annotations: &model.Annotations{Values: map[string]string{name: text}}}
			if got := state.HasDrainNotes(p); got != written {
				t.Errorf("%s=%q: %v, want %v", name, text, got, written)
			}
		}
	}
	if state.HasDrainNotes((&model.Pod{})) {
		t.Error("a pod without annotations has traces of a drain")
	}
}
