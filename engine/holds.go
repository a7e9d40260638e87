package engine

import "github.com/setplan/setplan/engine/model"

// taking is a pod that is about to be replaced, or to change in place, and the revision that is there afterwards.
type taking struct {
	pod      *model.Pod
	revision string
	repair   bool // it cannot become ready as it is
}

// holder is a feature that may keep such a pod. It answers nil where the pod may go now.
type holder func(v *view, t *taking) *held

// held says why a pod stays for now.
type held struct {
	block model.Block
	until string // what has to happen, as the sentence about a repair goes on
}

// holds lists those that the set asks for, in the order in which they are asked. A feature that keeps pods stands here and in a file of its own.
func (v *view) holds() (list []holder) {
	if v.gates.before.text != "" {
		list = append(list, v.gates.hold)
	}
	return list
}

// kept asks the holders; nil: the pod may go. The first that keeps it is told.
func (v *view) kept(t taking, out *draft) *held {
	for _, keeps := range v.holds() {
		if why := keeps(v, &t); why != nil {
			out.tellOnce(why.block)
			return why
		}
	}
	return nil
}
