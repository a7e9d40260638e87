package oracle

import (
	"math/rand"
	"slices"

	"github.com/setplan/setplan/test/oracle/upstream"
	"github.com/setplan/setplan/test/oracle/world"
)

// reasons are the API's possible answers to a controller's request.
var reasons = map[world.Op][]string{
	world.CreatePod:      {"Forbidden", "InternalError"},
	world.UpdatePod:      {"InternalError", "Invalid"},
	world.DeletePod:      {"InternalError", "NotFound"},
	world.OwnPod:         {"InternalError"},
	world.CreateClaim:    {"Forbidden", "InternalError", "AlreadyExists"},
	world.UpdateClaim:    {"InternalError"},
	world.CreateRevision: {"InternalError"},
	world.UpdateRevision: {"InternalError"},
	world.OwnRevision:    {"InternalError"},
	world.DeleteRevision: {"InternalError"},
	world.UpdateStatus:   {"InternalError"},
}

// drawFault chooses one of the requests that upstream sends for a world, and the API's answer. It returns nil for a world
// without writes.
func drawFault(w *world.World, theirs *upstream.Outcome, seed int64) *world.Fault {
	d := rand.New(rand.NewSource(seed)) //nolint:gosec // must be the same each time
	byName := map[string]world.Write{}
	var names []string
	for _, write := range expected(w, theirs, tally{}) {
		if write.Refused != "" {
			continue
		}
		key := string(write.Op) + "/" + write.Name
		if _, known := byName[key]; !known {
			names = append(names, key)
		}
		byName[key] = write
	}
	if len(names) == 0 {
		return nil
	}
	slices.Sort(names) // requests of one batch come in any order
	write := byName[names[d.Intn(len(names))]]
	said := reasons[write.Op]
	return &world.Fault{Op: write.Op, Name: write.Name, Reason: said[d.Intn(len(said))]}
}
