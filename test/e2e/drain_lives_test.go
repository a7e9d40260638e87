//go:build e2e

package e2e

import (
	"net/http"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// drainLives are the cases of a drain that hold whichever controller runs the set. In each an adapter is killed after each
// write.
var drainLives = map[string]func(r *relay){
	"range moves":       rangeMoves,
	"at once":           someAtOnce,
	"fails":             drainPodFails,
	"missing claim":     missingClaimComes,
	"leftovers":         leftoversDrained,
	"finish":            comesBackEmpty,
	"cancel":            comesBackToItsData,
	"policy removed":    policyTakenAway,
	"set in background": setEmptied(metav1.DeletePropagationBackground),
	"set in foreground": setEmptied(metav1.DeletePropagationForeground),
	"set orphaned":      setOrphaned,
}

// ownDrainLives need the set's own controller to wait for the drain.
var ownDrainLives = map[string]func(r *relay){
	"whenScaled":        whenScaledDelete,
	"asked and drained": askedAndDrained,
}

// drainWrites matches all writes of a drain, except reports.
func drainWrites(c call) bool {
	return c.verb != http.MethodGet &&
		(strings.HasPrefix(c.path, "pods") || strings.HasPrefix(c.path, "persistentvolumeclaims") || c.path == "statefulsets/web")
}

// live runs one case.
func live(t *testing.T, r *relay, life func(r *relay)) {
	life(r)
	r.unbrokenSince(r.since)
	r.proxy.preconditions(t)
}

// TestDrainKilledAfterEachWrite: nothing is lost and nothing is done twice, whichever writes an adapter lives to send.
func TestDrainKilledAfterEachWrite(t *testing.T) {
	t.Parallel()
	for _, lives := range []map[string]func(r *relay){drainLives, ownDrainLives} {
		for name, life := range lives {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				live(t, lab(t).relay(false), life)
			})
		}
	}
}
