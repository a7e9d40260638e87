package verify

import (
	"slices"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// What of the resources of a container may change while it stays.

// amount is the place of a quantity in a pod.
type amount struct{ container, list, resource string }

func (a amount) words() string {
	return "the " + a.list + " of " + a.resource + " of the container " + quote(a.container)
}

// amounts are quantities; "" is none.
type amounts map[amount]string

var (
	amountLists = [...]string{"limits", "requests"}
	resources   = [...]string{"cpu", "memory"}
)

// eachAmount goes through the places of a container's quantities that may change.
func eachAmount(container string, see func(amount)) {
	for _, list := range amountLists {
		for _, resource := range resources {
			see(amount{container, list, resource})
		}
	}
}

// asked is what a container of a template asks for; nil: nothing. A request that it does not have is its limit.
func asked(container *node, of amount) *node {
	of.container = "" // whatever its name
	quantity := container.get("resources", of.list, of.resource)
	if (quantity == nil || quantity.kind == 'n') && of.list == "requests" {
		quantity = container.get("resources", "limits", of.resource)
	}
	if quantity == nil || quantity.kind == 'n' {
		return nil
	}
	return quantity
}

// quantity is the text of a quantity in a template, which may be a number.
func (n *node) quantity() string {
	if n == nil || n.kind != '"' && n.kind != '0' {
		return ""
	}
	return n.text
}

// stays reports whether a container is there for as long as its pod: of init containers those that are sidecars.
func stays(list string, container *node) bool {
	return list == listContainers || container.get("restartPolicy").is("Always")
}

// apartFromResources takes the cpu and the memory that may change in place out of two templates: those of containers and of sidecars, which have the
// same place and name in both. changed is what the second one asks for where that is another quantity, and restarts says whether a container starts
// anew for it. What the second one no longer asks for stays where it is, and so does what is no quantity.
func apartFromResources(old, next *node) (oldRest, nextRest *node, changed amounts, restarts bool) {
	changed = amounts{}
	for _, list := range containerLists {
		a, b := old.get("spec", list), next.get("spec", list)
		if a == nil || b == nil || a.kind != '[' || b.kind != '[' || len(a.items) != len(b.items) {
			continue
		}
		left, right := &node{kind: '['}, &node{kind: '['}
		for i := range a.items {
			x, y := a.items[i], b.items[i]
			if name := y.get("name").string(); name != "" && x.get("name").is(name) && stays(list, x) && stays(list, y) {
				var anew bool
				x, y, anew = changed.apart(name, x, y)
				restarts = restarts || anew
			}
			left.items, right.items = append(left.items, x), append(right.items, y)
		}
		old, next = old.with(left, "spec", list), next.with(right, "spec", list)
	}
	return old, next, changed, restarts
}

// apart does so for one container.
func (a amounts) apart(name string, old, next *node) (oldRest, nextRest *node, restarts bool) {
	oldRest, nextRest = old, next
	eachAmount(name, func(of amount) {
		from, to := asked(old, of), asked(next, of)
		switch {
		case to == nil || quantityOf(to.quantity()) == nil || from != nil && quantityOf(from.quantity()) == nil:
			return
		case from == nil || !sameQuantity(from.quantity(), to.quantity()):
			a[of] = to.quantity()
			restarts = restarts || restartsFor(next, of.resource)
		}
		oldRest, nextRest = oldRest.withoutAmount(of), nextRest.withoutAmount(of)
	})
	return oldRest.withoutEmpty(), nextRest.withoutEmpty(), restarts
}

// restartsFor reports whether a container starts again where a resource of it changes.
func restartsFor(container *node, resource string) bool {
	policies := container.get("resizePolicy")
	return policies != nil && slices.ContainsFunc(policies.items, func(p *node) bool {
		return p.get("resourceName").is(resource) && p.get("restartPolicy").is("RestartContainer")
	})
}

func (n *node) withoutAmount(of amount) *node {
	if list := n.get("resources", of.list); list.object()[of.resource] != nil {
		return n.with(list.without(of.resource), "resources", of.list)
	}
	return n
}

// withoutEmpty leaves out limits and requests of nothing.
func (n *node) withoutEmpty() *node {
	for _, list := range amountLists {
		resources := n.get("resources")
		if of := resources.object()[list]; of != nil && (of.kind == '{' || of.nothing()) && sameBut(of, nil, nil) {
			n = n.with(resources.without(list), "resources")
		}
	}
	return n
}

// shownAmount is what the spec of a pod's container has.
func shownAmount(c *setplanv1.Container, of amount) string {
	if of.list == "limits" {
		return c.GetResources().GetLimits()[of.resource]
	}
	return c.GetResources().GetRequests()[of.resource]
}

// recordedAmounts are what a record says that the containers had; ok is false where it says anything else, or it in another form.
func recordedAmounts(record *node) (had amounts, ok bool) {
	had = amounts{}
	containers := record.get("resize")
	if containers == nil {
		return had, true
	}
	ok = containers.kind == '{' && len(containers.members) > 0
	for name, lists := range containers.object() {
		ok = ok && lists.kind == '{' && len(lists.members) > 0 && differing(lists, nil, map[string]bool{"limits": true, "requests": true}) == ""
		for list, of := range lists.object() {
			ok = ok && of.kind == '{' && len(of.members) > 0 && differing(of, nil, map[string]bool{"cpu": true, "memory": true}) == ""
			for resource, quantity := range of.object() {
				had[amount{name, list, resource}] = quantity.string()
				ok = ok && quantity.kind == '"'
			}
		}
	}
	return had, ok
}
