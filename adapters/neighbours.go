package adapters

import (
	"slices"
	"strings"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// NeighboursOf is a snapshot's claim neighbours in one text, so that the fence can tell that there is another set since the
// planner was asked.
func NeighboursOf(neighbours []*setplanv1.ClaimNeighbour) string {
	if len(neighbours) == 0 {
		return ""
	}
	names := make([]string, len(neighbours))
	for i, n := range neighbours {
		names[i] = n.GetSet() + " " + n.GetClaimTemplate()
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}
