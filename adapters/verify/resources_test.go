package verify

import "testing"

// TestNothingOfResources: the ways to ask for nothing are the same, for the engine as well. Other controllers may have written them into a revision.
func TestNothingOfResources(t *testing.T) {
	const asks = `"limits":{"cpu":"1"}`
	for _, row := range []struct {
		reason, old, next string
		same              bool
	}{
		{"empty and left out", `{"limits":{},"requests":{}}`, `{}`, true},
		{"null and left out", `{"limits":null,"requests":null}`, `{}`, true},
		{"null and empty", `null`, `{"limits":{}}`, true},
		{"an amount that is null", `{"requests":{"cpu":null}}`, `{}`, true},
		{"another resource that is null", `{"limits":{"ephemeral-storage":null}}`, `{}`, true},
		{"an amount that is null, beside another resource", `{"limits":{"cpu":null,"ephemeral-storage":"1Gi"}}`, `{"limits":{"ephemeral-storage":"1Gi"}}`, true},
		{"beside something", `{` + asks + `,"requests":null}`, `{` + asks + `,"requests":{"memory":null}}`, true},
		{"another resource", `{"limits":{"ephemeral-storage":"1Gi"}}`, `{}`, false},
		{"an amount that is gone", `{` + asks + `}`, `{"limits":{"cpu":null}}`, false},
		{"what is no object", `{"limits":"all"}`, `{}`, false},
	} {
		template := func(resources string) *node {
			n, err := parse([]byte(`{"spec":{"containers":[{"name":"main","resources":`+resources+`}]}}`), true)
			if err != nil {
				t.Fatal(err)
			}
			return n
		}
		old, next, changed, _ := apartFromResources(template(row.old), template(row.next))
		if same(old, next) != row.same || len(changed) > 0 {
			t.Errorf("%s: the rest is the same: %t, changed %v", row.reason, !row.same, changed)
		}
	}
}
