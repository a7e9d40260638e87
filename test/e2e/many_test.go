//go:build e2e

package e2e

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
)

// TestThirtySets: all sets come up, none disturbs another, and the adapter asks the API server for no more than the work needs.
func TestThirtySets(t *testing.T) {
	t.Parallel()
	s := newScene(t, shared.cluster)
	const sets, replicas = 30, 3
	kinds := []func(*appsv1.StatefulSet){
		func(*appsv1.StatefulSet) {}, parallel, withoutClaims, minReady(1), retention(remove, remove), onDelete,
	}
	var names []string
	for i := range sets {
		name := fmt.Sprintf("web%02d", i)
		names = append(names, name)
		s.create(webSet(name, replicas, kinds[i%len(kinds)]))
	}
	for _, name := range names {
		s.settled(name)
	}
	at := map[string]int{} // by word of the story
	for i, word := range s.events("Pod") {
		if before, twice := at[word]; twice || word[0] == '-' || word[0] == 'u' {
			t.Errorf("%q occurs at %d and %d, want each pod created and ready once", word, before, i)
		}
		at[word] = i
	}
	if want := 2 * sets * replicas; len(at) != want {
		t.Errorf("the story has %d words, want %d", len(at), want)
	}
	for i, name := range names {
		for ordinal := 1; ordinal < replicas && i%len(kinds) != 1; ordinal++ {
			if at[fmt.Sprintf("+%s-%d", name, ordinal)] < at[fmt.Sprintf("ready %s-%d", name, ordinal-1)] {
				t.Errorf("%s-%d was created before the one below was ready", name, ordinal)
			}
		}
	}

	// Each object is created once. The status follows the pods: each pod appears, and becomes ready and available.
	count := map[string]int{}
	for _, w := range s.written() {
		count[w.what()]++
		if w.Verb == "create" && w.Response.Code != http.StatusCreated {
			t.Errorf("%s %s was answered with %d", w.what(), w.ObjectRef.Name, w.Response.Code)
		}
	}
	withClaims := sets * (len(kinds) - 1) / len(kinds)
	for what, want := range map[string]int{
		"create controllerrevisions":    sets,
		"create pods":                   sets * replicas,
		"create persistentvolumeclaims": withClaims * replicas,
		"delete pods":                   0,
		"delete controllerrevisions":    0,
		"patch pods":                    0,
	} {
		if count[what] != want {
			t.Errorf("%d of %q, want %d", count[what], what, want)
		}
	}
	atMost := map[string]int{
		"update statefulsets/status": sets * (1 + 3*replicas),
		// Each claim of a set that owns its claims gets an owner. If its volume is bound at the same moment, the write is tried
		// again.
		"patch persistentvolumeclaims": sets / len(kinds) * replicas * 3,
	}
	for what, most := range atMost {
		if count[what] > most {
			t.Errorf("%d of %q, want no more than %d", count[what], what, most)
		}
	}

	// All sets are as they should be, so nothing is written.
	before := len(s.written())
	time.Sleep(2 * time.Second)
	if after := s.written(); len(after) != before {
		t.Errorf("%d writes to sets that are as they should be, the first: %+v", len(after)-before, after[before])
	}
}
