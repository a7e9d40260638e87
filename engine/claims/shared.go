package claims

import (
	"cmp"
	"slices"
	"strings"

	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/state"
)

// Two sets of a namespace may call claims alike: a-b-c-0 is the claim a of set b-c and the claim a-b of set c. Nobody can tell whose
// data is in them, and whoever is referred to would take the other one's along. So while there is such a neighbour no claim goes
// with anybody, and a block says why.

// ReadShared finds out whether the retention policy is left aside.
func ReadShared(v *Claims, out *state.Draft) {
	asked := v.Set.WhenScaled == "Delete" || v.Set.WhenDeleted == "Delete"
	if !v.Rules.WantedClaimsStay || len(v.Snap.ClaimNeighbours) == 0 && v.Namesake == nil || !asked || v.DrainOnly() {
		return
	}
	v.shared = true
	if !v.Deleting() && !v.Drains() && v.Namesake == nil { // else another block names the neighbour
		out.Block(blockSharedClaims(v.Set, v.FirstNeighbour()))
	}
}

// FirstNeighbour is the one to name.
func (v *Claims) FirstNeighbour() *model.ClaimNeighbour {
	first := slices.MinFunc(v.Snap.ClaimNeighbours, func(a, b model.ClaimNeighbour) int {
		return cmp.Or(strings.Compare(a.Set, b.Set), strings.Compare(a.ClaimTemplate, b.ClaimTemplate))
	})
	return &first
}
