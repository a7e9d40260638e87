package drain

import (
	"strings"

	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/state"
)

// A drain pod lists the uids of the claims that it drains. Any number of pods may share one list, and a list may be as long as
// all annotations of an object: each is read once for all of them, and only what concerns their claims is kept.

// findListed gives each place with a drain pod those of its claims that the pod drains.
func (dr *Drain) findListed() {
	sharing := map[*model.Annotations][]*drainPlace{}
	each := func(f func(p *drainPlace)) {
		for _, places := range [][]*drainPlace{dr.places, dr.returning} {
			for i, p := range places {
				if dr.view.EndsAt(i) {
					return
				}
				if p.pod != nil {
					f(p)
				}
			}
		}
	}
	each(func(p *drainPlace) { sharing[p.pod.Annotations] = append(sharing[p.pod.Annotations], p) })
	each(func(p *drainPlace) {
		if of := sharing[p.pod.Annotations]; of[0] == p {
			dr.readList(state.DrainClaimsOf(p.pod), of)
		}
	})
}

// readList finds the claims of these places in the list that their drain pods share.
func (dr *Drain) readList(list string, places []*drainPlace) {
	listed := map[string]bool{}
	for _, p := range places {
		for _, placed := range p.claims {
			listed[placed.Claim.UID] = false
		}
	}
	eachUID(list, func(uid string) {
		if _, wanted := listed[uid]; wanted {
			listed[uid] = true
		}
	})
	for _, p := range places {
		for _, placed := range p.claims {
			if listed[placed.Claim.UID] {
				p.listed = append(p.listed, placed.Claim)
			}
		}
	}
}

// eachUID calls f for each uid of a list, which has a comma between two of them.
func eachUID(list string, f func(uid string)) {
	if list == "" {
		return
	}
	for uid := range strings.SplitSeq(list, ",") {
		f(uid)
	}
}
