package inplace

import (
	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/podtemplate"
)

// Resources change through a subresource of the pod of their own, and cost nothing: the pod runs on. So a pod whose resources change gets one write
// more than one whose images do. It has been started by then: the record says to which revision it goes, and what its spec showed before.

// unwritten are the amounts that a pod on its way is to get yet. What somebody else has changed since the pod was started stays as it is.
func (v *Pods) unwritten(f *Flight) (left podtemplate.Amounts) {
	if len(f.Resize) == 0 {
		return nil
	}
	wanted := v.factsOf(f.Revision).amounts
	for of, was := range f.Resize {
		shown, quantity := *model.Resizable[of.Key].Of(&f.shown[of.Container].Resources), wanted[of]
		if quantity != "" && !podtemplate.SameAmount(shown, quantity) && podtemplate.SameAmount(shown, was) {
			left.Put(of.Container, of.Key, quantity)
		}
	}
	return left
}

// Resize is the write of amounts that a pod on its way has yet to get, with the facts that its id is made of.
func Resize(p *model.Pod, f *Flight, left podtemplate.Amounts) (model.Action, []string) {
	op := model.ResizePod{Containers: resizesOf(p.Containers.Containers, left), InitContainers: resizesOf(p.Containers.Init, left)}
	return model.Action{Kind: model.KindPod, Name: p.Name, UID: p.UID, ResourceVersion: p.ResourceVersion, Op: op}, []string{f.Revision, "resize"}
}

// resizesOf lists all containers of a list, if one of them gets something.
func resizesOf(list []model.Container, left podtemplate.Amounts) []model.ContainerResize {
	out := make([]model.ContainerResize, len(list))
	changed := false
	for i := range list {
		out[i].Name = list[i].Name
		for key := range model.Resizable {
			if quantity, changes := left[podtemplate.Amount{Container: list[i].Name, Key: key}]; changes {
				*model.Resizable[key].Of(&out[i].Resources), changed = quantity, true
			}
		}
	}
	if !changed {
		return nil
	}
	return out
}

// lacking is the first container by name that does not have what the spec says of the amounts that have changed; "": all have it.
func (f *Flight) lacking() (first string) {
	for of := range f.Resize {
		if !HasAmount(f.shown[of.Container], of.Key) && (first == "" || of.Container < first) {
			first = of.Container
		}
	}
	return first
}

// HasAmount reports whether a container has what the spec says of an amount.
func HasAmount(c *model.Container, key int) bool {
	of := model.Resizable[key].Of
	return c.StatusResources != nil && podtemplate.SameAmount(*of(&c.Resources), *of(c.StatusResources))
}
