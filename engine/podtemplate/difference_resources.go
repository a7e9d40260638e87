package podtemplate

import (
	"github.com/setplan/setplan/engine/jsontree"
	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/quantity"
)

// Which resources change in place. An API server refuses to resize a pod if its class of service would change, or if a request or a limit would be
// gone (KEP-1287), and then the pod has to be recreated.

// mayResize reports whether resources of two specs can be compared, and nothing of the pod as a whole is against it.
func (c *differing) mayResize(a, b jsontree.Value) bool {
	for _, spec := range [...]jsontree.Value{a, b} {
		if spec.Get("resources").Kind != jsontree.Null || spec.Get("os").Get("name").Text == "windows" {
			return false
		}
	}
	before, ok := c.classOf(a)
	after, okAfter := c.classOf(b)
	return ok && okAfter && before == after
}

// serviceClass is the class of service of a pod.
type serviceClass uint8

const (
	bestEffort serviceClass = iota
	burstable
	guaranteed
)

// classOf is the class that an API server gives a pod of a spec (pkg/apis/core/v1/helper/qos, ComputePodQOS). ok is false if an amount cannot be read.
func (c *differing) classOf(spec jsontree.Value) (class serviceClass, ok bool) {
	var sums ClassSums
	for _, list := range [...]string{"containers", "initContainers"} {
		for _, container := range spec.Get(list).Items() {
			for key := range model.Resizable {
				q, ok := ReadAmount(AmountIn(container, key))
				if !ok {
					return bestEffort, false
				}
				sums.Add(key, q)
			}
		}
	}
	return sums.Class(), true
}

// ClassSums add up what the containers of a pod ask for.
type ClassSums struct {
	of    [len(model.Resizable)]quantity.Amount
	lacks bool // a container has no limit of something
}

// Add adds an amount of a container.
func (s *ClassSums) Add(key int, q quantity.Amount) {
	switch {
	case !q.IsZero():
		s.of[key] = s.of[key].Plus(q)
	case model.Resizable[key].List == "limits":
		s.lacks = true
	}
}

// Class is the quality of service that the amounts give a pod.
func (s *ClassSums) Class() serviceClass {
	some, equal := false, true
	for key, limit := range s.of {
		some = some || !limit.IsZero()
		if model.Resizable[key].List == "limits" {
			equal = equal && limit.Compare(s.of[key+RequestOf]) == 0
		}
	}
	switch {
	case !some:
		return bestEffort
	case !s.lacks && equal:
		return guaranteed
	}
	return burstable
}

// RequestOf is how far the request of a resource is from its limit, among model.Resizable. The others are places there.
const (
	RequestOf     = len(model.Resizable) / 2
	LimitOfMemory = 1
	RequestOfCPU  = RequestOf
)

// changesResources notes what of a container's resources changes in place. It reports whether nothing of them needs another pod.
func (c *differing) changesResources(a, b jsontree.Value) bool {
	if !c.may.Resources || !c.sameOthers(a.Get("resources"), b.Get("resources")) {
		return false
	}
	name := b.Get("name").Text
	var changes Amounts
	starts := false
	for key := range model.Resizable {
		from, to := AmountIn(a, key), AmountIn(b, key)
		before, _ := ReadAmount(from) // classOf has read all of them
		after, _ := ReadAmount(to)
		switch _, twice := c.out.Resources[Amount{name, key}]; {
		case before.Compare(after) == 0:
			continue
		case to.Kind == jsontree.Null || twice, after.IsZero() && !before.IsZero(): // a kubelet takes no limit away, and goes on to tell of a request
			return false
		}
		changes.Put(name, key, to.Text)
		starts = starts || startsFor(a, model.Resizable[key].Resource)
	}
	if starts && (!c.may.Restarts || mayEnd(a) || mayEnd(b)) {
		return false
	}
	for of, quantity := range changes {
		c.out.Resources.Put(of.Container, of.Key, quantity)
	}
	c.out.StartsForResources = c.out.StartsForResources || starts
	return true
}

// sameOthers reports whether two containers have the same of all resources that do not change in place.
func (c *differing) sameOthers(a, b jsontree.Value) bool {
	return isObjectOrNone(a) && isObjectOrNone(b) && jsontree.Pairs(a, b, func(key string, a, b jsontree.Value) bool {
		if key == "limits" || key == "requests" {
			if !isObjectOrNone(a) || !isObjectOrNone(b) {
				return false
			}
			a, b = a.Without("cpu").Without("memory"), b.Without("cpu").Without("memory")
		}
		return sameAt(a, b, optional)
	})
}

// optional is where nothing is the same as an empty object.
var optional = &place{filledIn: true}

// startsFor reports whether a container starts again to get another amount of a resource. Where the revisions differ in that, it requires a new pod.
func startsFor(container jsontree.Value, resource string) bool {
	for _, policy := range container.Get("resizePolicy").Items() {
		if policy.Get("resourceName").Text == resource {
			return policy.Get("restartPolicy").Text == "RestartContainer"
		}
	}
	return false
}

// mayEnd reports whether a container has rules of its own for when it is restarted, as from Kubernetes 1.35 on.
func mayEnd(container jsontree.Value) bool {
	policy := container.Get("restartPolicy")
	return policy.Kind != jsontree.Null && policy.Text != "Always" || len(container.Get("restartPolicyRules").Items()) > 0
}
