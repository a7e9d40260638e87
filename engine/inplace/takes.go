package inplace

import (
	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/podtemplate"
	"github.com/setplan/setplan/engine/quantity"
)

// The revisions say what is to change, but the API server judges the pod: a webhook, a LimitRange or an autoscaler may have made something else of it,
// and its node may have an older kubelet. What would be refused whenever it is asked for requires a new pod. A quota is another matter: it would refuse
// the new pod as well.

// takesAmounts reports whether a running pod may get other amounts, and its kubelet will say so when it has.
func takesAmounts(c *model.PodContainers, changes podtemplate.Amounts, starts bool) bool {
	var before, after podtemplate.ClassSums
	runs, silent, lowers := false, false, false
	for _, list := range [...][]model.Container{c.Containers, c.Init} {
		for i := range list {
			of := &list[i]
			var next [len(model.Resizable)]quantity.Amount
			changed := false
			for key := range model.Resizable {
				shown, _ := podtemplate.AmountOrZero(*model.Resizable[key].Of(&of.Resources))
				next[key] = shown
				if text, changes := changes[podtemplate.Amount{Container: of.Name, Key: key}]; changes {
					next[key], _ = quantity.Parse(text)
					changed, lowers = true, lowers || key == podtemplate.LimitOfMemory && next[key].Compare(shown) < 0
				}
				before.Add(key, shown)
				after.Add(key, next[key])
			}
			if changed && !takable(&next) {
				return false
			}
		}
	}
	for i := range c.Containers {
		if of := &c.Containers[i]; !of.StartedAt.IsZero() {
			runs, silent = true, silent || of.StatusResources == nil
		}
	}
	switch {
	case silent: // a kubelet before 1.33, or one that is told not to resize
		return false
	case runs && c.ObservedGeneration == 0 && lowers && !starts: // as kubelets before 1.34, whose API server may be no newer
		return false
	}
	return before.Class() == after.Class()
}

// mostShares is the cpu that a kubelet can tell of: the kernel takes no more shares.
var mostShares, _ = quantity.Parse("256")

// takable reports whether a container may have these amounts, and a kubelet will ever say that it has. A kubelet rounds memory up to whole bytes when
// it resizes, and then waits for ever to find the fraction that the spec has.
func takable(of *[len(model.Resizable)]quantity.Amount) bool {
	for key := range of {
		if model.Resizable[key].List == "limits" && !of[key].IsZero() && of[key+podtemplate.RequestOf].Compare(of[key]) > 0 ||
			model.Resizable[key].Resource == "memory" && !of[key].IsWhole() ||
			key == podtemplate.RequestOfCPU && of[key].Compare(mostShares) > 0 {
			return false
		}
	}
	return true
}
