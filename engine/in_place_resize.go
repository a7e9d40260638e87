package engine

import "github.com/setplan/setplan/engine/model"

// Resources change through a subresource of the pod of their own, and cost nothing: the pod runs on. So a pod whose resources change gets one write
// more than one whose images do. It has been started by then: the record says to which revision it goes, and what its spec showed before.

// unwritten are the amounts that a pod on its way is to get yet. What somebody else has changed since the pod was started stays as it is.
func (v *view) unwritten(f *flight) (left amounts) {
	if len(f.resize) == 0 {
		return nil
	}
	wanted := v.factsOf(f.revision).amounts
	for of, was := range f.resize {
		shown, quantity := *resizable[of.key].of(&f.shown[of.container].Resources), wanted[of]
		if quantity != "" && !sameAmount(shown, quantity) && sameAmount(shown, was) {
			left.put(of.container, of.key, quantity)
		}
	}
	return left
}

// resizePod is the write of amounts.
func resizePod(p *model.Pod, left amounts) model.ResizePod {
	return model.ResizePod{Containers: resizesOf(p.Containers.Containers, left), InitContainers: resizesOf(p.Containers.Init, left)}
}

// resizesOf lists all containers of a list, if one of them gets something.
func resizesOf(list []model.Container, left amounts) []model.ContainerResize {
	out := make([]model.ContainerResize, len(list))
	changed := false
	for i := range list {
		out[i].Name = list[i].Name
		for key := range resizable {
			if quantity, changes := left[amount{list[i].Name, key}]; changes {
				*resizable[key].of(&out[i].Resources), changed = quantity, true
			}
		}
	}
	if !changed {
		return nil
	}
	return out
}

// lacking is the first container by name that does not have what the spec says of the amounts that have changed; "": all have it.
func (f *flight) lacking() (first string) {
	for of := range f.resize {
		if !hasAmount(f.shown[of.container], of.key) && (first == "" || of.container < first) {
			first = of.container
		}
	}
	return first
}

// has reports whether a container has what the spec says of an amount.
func hasAmount(c *model.Container, key int) bool {
	of := resizable[key].of
	return c.StatusResources != nil && sameAmount(*of(&c.Resources), *of(c.StatusResources))
}
