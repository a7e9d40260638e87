package forecast

import "github.com/setplan/setplan/engine/model"

// change is what has become of an object, as it was then.
type change struct {
	kind     changeKind
	pod      model.Pod
	claim    model.Claim
	revision model.Revision
	why      model.Cause // zero: the cluster did it by itself
}

type changeKind uint8

const (
	_ changeKind = iota
	podMade
	podDeleted // its end is certain
	podGoing   // a host stops it
	podAsked   // whether it may go
	podUpdated // in place
	podRevised // it got other images, and its containers start again
	podResized // it asks for other resources
	podGone
	claimMade
	claimChanged
	claimDeleted // its end is certain
	claimGone
	revisionDeleted
)

// tell passes a change on, with the cause of the action that is carried out.
func (c *cluster) tell(ch change) {
	ch.why = c.why
	c.told(ch)
}
