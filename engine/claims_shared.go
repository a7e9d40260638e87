package engine

import (
	"cmp"
	"slices"
	"strings"

	"github.com/setplan/setplan/engine/model"
)

// Two sets of a namespace may call claims alike: a-b-c-0 is the claim a of set b-c and the claim a-b of set c. Nobody can tell whose
// data is in them, and whoever is referred to would take the other one's along. So while there is such a neighbour no claim goes
// with anybody, and a block says why.

// readShared finds out whether the retention policy is left aside.
func readShared(v *view, out *draft) {
	asked := v.set.WhenScaled == "Delete" || v.set.WhenDeleted == "Delete"
	if !v.rules.WantedClaimsStay || len(v.s.ClaimNeighbours) == 0 && v.namesake == nil || !asked || v.drainOnly() {
		return
	}
	v.shared = true
	if !v.deleting() && !v.drains() && v.namesake == nil { // else another block names the neighbour
		out.block(blockSharedClaims(v.set, v.firstNeighbour()))
	}
}

// firstNeighbour is the one to name.
func (v *view) firstNeighbour() *model.ClaimNeighbour {
	first := slices.MinFunc(v.s.ClaimNeighbours, func(a, b model.ClaimNeighbour) int {
		return cmp.Or(strings.Compare(a.Set, b.Set), strings.Compare(a.ClaimTemplate, b.ClaimTemplate))
	})
	return &first
}
