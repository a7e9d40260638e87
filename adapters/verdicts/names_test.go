package verdicts

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// renamed is the set with the words of kstatus for our two conditions, and nothing else changed.
func renamed(object *unstructured.Unstructured) *unstructured.Unstructured {
	return withConditions(object, func(c map[string]any) []any {
		for from, to := range map[string]string{"Progressing": "Reconciling", "Blocked": "Stalled"} {
			if c["type"] == from {
				c["type"] = to
			}
		}
		return []any{c}
	})
}

// holdsUp matches what a set that is stalled has not in its plan: an action but for the status, something that passes by
// itself, a time at which to look again.
var holdsUp = regexp.MustCompile(`(?m)^(  - |    )(create|delete|adopt|release|patch|update-claim|update-pod|renumber)|^wait |^look again`)

// meant is the set with Reconciling in place of Progressing, Blocked as it is, and Stalled in place of Reconciling where
// the next plan does nothing, waits for nothing, and has a block that somebody has to act on.
func meant(object *unstructured.Unstructured, plan string) *unstructured.Unstructured {
	stalled := condition(object, "Blocked") != "none" && condition(object, "Blocked") != "False" &&
		!holdsUp.MatchString(plan) && strings.Contains(plan, "attention ")
	return withConditions(object, func(c map[string]any) []any {
		if c["type"] != "Progressing" {
			return []any{c}
		}
		c["type"] = "Reconciling"
		if !stalled || c["status"] != "True" {
			return []any{c}
		}
		c["status"] = "False"
		return []any{c, map[string]any{"type": "Stalled", "status": "True", "reason": condition(object, "Blocked")}}
	})
}

func withConditions(object *unstructured.Unstructured, change func(map[string]any) []any) *unstructured.Unstructured {
	changed := object.DeepCopy()
	list, _, _ := unstructured.NestedSlice(changed.Object, "status", "conditions")
	var all []any
	for _, entry := range list {
		all = append(all, change(entry.(map[string]any))...)
	}
	if all != nil {
		_ = unstructured.SetNestedSlice(changed.Object, all, "status", "conditions")
	}
	return changed
}

const namesPath = "README.md"

// TestNames fails where the table of names in README.md is not what kstatus says.
func TestNames(t *testing.T) {
	page := withTable(t, namesPath, names(t))
	if *rewrite {
		write(t, namesPath, page)
	}
	if read(t, namesPath) != page {
		t.Error("README.md is stale: make verdicts")
	}
}

// names has what kstatus says of each state, with the conditions as they are and as they could be.
func names(t *testing.T) string {
	var b strings.Builder
	b.WriteString("| the set | is | today | renamed | meant |\n|---|---|---|---|---|\n")
	for _, s := range states {
		found := s.run(t)
		cells := []string{s.name, string(s.truth)}
		for _, o := range []*unstructured.Unstructured{found.set, renamed(found.set), meant(found.set, found.plan)} {
			word, err := kstatus(seen{set: o, pods: found.pods})
			if err != nil {
				t.Fatal(err)
			}
			right := map[truth]string{done: "Current", moving: "InProgress", leaving: "Terminating"}[s.truth]
			if right != "" && word != right || s.truth == stuck && word == "Current" {
				word = "**" + word + "**"
			}
			cells = append(cells, word)
		}
		fmt.Fprintf(&b, "| %s |\n", strings.Join(cells, " | "))
	}
	return b.String()
}
