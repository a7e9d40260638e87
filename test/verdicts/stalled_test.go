package verdicts

import (
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// stopped reports whether a set would be called stalled: its plan does nothing, and waits for nothing but somebody who acts.
func (s seen) stopped() bool {
	attention := false
	for line := range strings.Lines(s.plan) {
		switch severity, _, _ := strings.Cut(line, " "); severity {
		case "attention":
			attention = true
		case "info":
		default:
			return false
		}
	}
	return attention
}

// with is the set with some of its conditions replaced, in this order, as "Type=Status".
func (s seen) with(conditions ...string) seen {
	var list []any
	for _, c := range conditions {
		name, status, _ := strings.Cut(c, "=")
		list = append(list, map[string]any{"type": name, "status": status, "reason": "Test", "message": "A test."})
	}
	changed := s
	changed.set = s.set.DeepCopy()
	if err := unstructured.SetNestedSlice(changed.set.Object, list, "status", "conditions"); err != nil {
		panic(err)
	}
	return changed
}

// TestStalledIsNotTrue is why there is no condition Stalled: README.md. kstatus wants at most one of Reconciling and Stalled to be
// True. Of a set that has stopped, Reconciling would then have to be False, and who waits for that, as our manual says, would be told
// that the rollout is done.
func TestStalledIsNotTrue(t *testing.T) {
	found := 0
	for _, s := range states {
		now := s.run(t)
		if s.truth != stuck || !now.stopped() || condition(now.set, "Reconciling") == "False" {
			continue // where nothing can be planned, nothing is written, and tools see that from observedGeneration
		}
		found++
		for reason, row := range map[string]struct {
			conditions    []string
			kstatus, wait string
		}{
			"as it is":                       {[]string{"Reconciling=True"}, "InProgress", "waits"},
			"one of the two":                 {[]string{"Reconciling=False", "Stalled=True"}, "Failed", "met"}, // "met" is the lie
			"both, which kstatus reads once": {[]string{"Reconciling=True", "Stalled=True"}, "InProgress", "waits"},
			"both, in the other order":       {[]string{"Stalled=True", "Reconciling=True"}, "Failed", "waits"},
		} {
			changed := now.with(row.conditions...)
			if word, err := kstatus(changed); err != nil || word != row.kstatus {
				t.Errorf("%s, %s: kstatus says %q, %v", s.name, reason, word, err)
			}
			if word, err := waitFor("condition=Reconciling=false")(changed); err != nil || word != row.wait {
				t.Errorf("%s, %s: kubectl wait says %q, %v", s.name, reason, word, err)
			}
		}
	}
	if found < 2 {
		t.Errorf("%d sets have stopped", found)
	}
}

// TestStoppedGoesOn: what has stopped by that rule comes right without an edit of its spec. Flux and Helm would have ended the
// deployment by then.
func TestStoppedGoesOn(t *testing.T) {
	for reason, row := range map[string]struct{ stops, goesOn string }{
		"another controller's pod ends, as a Job's does": {
			"set name=web replicas=3\npod web-1 create labels=app=other owner=Job/other\nsettle",
			"pod web-1 remove\nsettle"},
		"an annotation of a later release, until that release is there": {
			atRest + "annotate web setplan.io/of-tomorrow=x\nedit web replicas=2\nsettle",
			"annotate web setplan.io/of-tomorrow=\nsettle"}, // the world has one release, in which nobody knows it
	} {
		if now := (state{story: row.stops}).run(t); !now.stopped() {
			t.Errorf("%s: not stopped: %s", reason, now.plan)
		}
		then := state{story: row.stops + "\n" + row.goesOn}.run(t)
		for _, tool := range tools {
			if word, err := tool.ask(then); err != nil || word != tool.done {
				t.Errorf("%s, and then %s says %q, %v", reason, tool.name, word, err)
			}
		}
	}
}
