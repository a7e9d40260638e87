package state

import "github.com/setplan/setplan/engine/model"

// Member is a pod of the set with the ordinal that its name says; model.NoOrdinal if it fits no int32.
type Member struct {
	Pod     *model.Pod
	Ordinal int32
}

// RevisionChoice is a revision that pods can be at.
type RevisionChoice struct {
	Name string
	Data []byte // nil where it is the set's own template
	Lost bool   // the status names it, and it is not there
}
