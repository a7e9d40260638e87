package sim

import (
	"slices"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// neighbours lists the other sets that have a claim template by which claims get the names that one of the set's has.
func neighbours(shown State, name string) []*setplanv1.ClaimNeighbour {
	of := func(set string) (templates []string) {
		if r := read(shown, set); r != nil {
			templates = r.spec.claimTemplateNames()
		}
		return templates
	}
	var list []*setplanv1.ClaimNeighbour
	for _, other := range shown.Names(KindSet) {
		if other == name {
			continue
		}
		for _, template := range of(name) {
			if slices.ContainsFunc(of(other), func(theirs string) bool { return theirs+"-"+other == template+"-"+name }) {
				list = append(list, &setplanv1.ClaimNeighbour{Set: other, ClaimTemplate: template})
			}
		}
	}
	return list
}
