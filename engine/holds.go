package engine

import "github.com/setplan/setplan/engine/model"

// taking is a pod that is about to be replaced, or to change in place, and the revision that is there afterwards.
type taking struct {
	pod      *model.Pod
	revision string
	repair   bool // it cannot become ready as it is
}

// held says why a pod stays for now.
type held struct {
	block model.Block
	until string // what has to happen, as the sentence about a repair goes on
}

// holds reports whether the set asks for a feature that may keep pods. Each stands here, below, and in a file of its own.
func (v *view) holds() bool { return v.gates.before.text != "" }

// kept asks these features, in their order; nil: the pod may go. The first that keeps it is told.
func (v *view) kept(t taking, out *draft) (why *held) {
	if v.gates.before.text != "" {
		why = v.gates.hold(v, &t)
	}
	if why != nil {
		out.tellOnce(why.block)
	}
	return why
}
