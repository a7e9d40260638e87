package engine

import (
	"strings"
	"testing"

	"github.com/setplan/setplan/engine/model"
)

// TestSchedulingGates: the block of a pod that no scheduler looks at names all that keep it.
func TestSchedulingGates(t *testing.T) {
	for gates, want := range map[string]string{
		"":                                   "The pod is pending and not ready.",
		"example.com/quota":                  "The pod is pending: the scheduling gate example.com/quota keeps it from being scheduled.",
		"example.com/quota example.com/data": "The pod is pending: the scheduling gates example.com/quota, example.com/data keep it from being scheduled.",
	} {
		for _, management := range []string{"OrderedReady", "Parallel"} {
			w := newWorld(2)
			w.Set.PodManagementPolicy = management
			w.unready("web-1").p("web-1").Phase = model.PodPending
			w.p("web-1").Gates = strings.Fields(gates)
			told := ""
			for _, b := range Decide(&w.settled().Snapshot).Blocks {
				if b.Code == model.BlockPodNotReady {
					told = b.Message
				}
			}
			check(t, management+" "+gates, "message", told, want)
		}
	}
}
