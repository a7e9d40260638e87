package engine

import (
	"slices"

	"github.com/setplan/setplan/engine/jsontree"
	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/quantity"
)

// resizableKey is one of the four amounts of a container that may change while it stays, and where specs have it.
type resizableKey struct {
	list, resource string
	of             func(*model.Resources) *string
}

// resizable are the four, in the order of their names.
var resizable = [...]resizableKey{
	{"limits", "cpu", func(r *model.Resources) *string { return &r.Limits.CPU }},
	{"limits", "memory", func(r *model.Resources) *string { return &r.Limits.Memory }},
	{"requests", "cpu", func(r *model.Resources) *string { return &r.Requests.CPU }},
	{"requests", "memory", func(r *model.Resources) *string { return &r.Requests.Memory }},
}

// amount is the place of an amount in a pod.
type amount struct {
	container string
	key       int // of resizable
}

// amounts are quantities; "" is none.
type amounts map[amount]string

// put adds an amount.
func (a *amounts) put(container string, key int, quantity string) {
	if *a == nil {
		*a = amounts{}
	}
	(*a)[amount{container, key}] = quantity
}

// value is the amounts as JSON: {"web":{"limits":{"cpu":"1"}}}.
func (a amounts) value() jsontree.Value {
	of := make(map[string]jsontree.Value, len(a))
	for at, quantity := range a {
		k, container := &resizable[at.key], of[at.container]
		of[at.container] = container.With(k.list, container.Get(k.list).With(k.resource, jsontree.NewString(quantity)))
	}
	members := make([]jsontree.Member, 0, len(of))
	for name, container := range of { // which are written in order
		members = append(members, jsontree.Member{Key: name, Value: container})
	}
	return jsontree.NewObject(members...)
}

// readAmounts is the way back. It takes what it knows.
func readAmounts(of jsontree.Value) (a amounts) {
	for _, container := range of.Members() {
		for _, list := range container.Value.Members() {
			for _, m := range list.Value.Members() {
				key := slices.IndexFunc(resizable[:], func(k resizableKey) bool { return k.list == list.Key && k.resource == m.Key })
				if key >= 0 {
					a.put(container.Key, key, m.Value.Text)
				}
			}
		}
	}
	return a
}

func isObjectOrNone(v jsontree.Value) bool {
	return v.Kind == jsontree.Object || v.Kind == jsontree.Null
}

// amountIn is the amount that a container of a template asks for, by the place in resizable. The API server fills in a request that is missing from the
// limit, when it makes the pod.
func amountIn(container jsontree.Value, key int) jsontree.Value {
	k, resources := &resizable[key], container.Get("resources")
	value := resources.Get(k.list).Get(k.resource)
	if value.Kind == jsontree.Null && k.list == "requests" {
		return resources.Get("limits").Get(k.resource)
	}
	return value
}

// readAmount reads an amount of a template. ok is false for what is no quantity. An API server takes a number for its text.
func readAmount(value jsontree.Value) (q quantity.Amount, ok bool) {
	switch value.Kind {
	case jsontree.Null:
		return quantity.Amount{}, true
	case jsontree.String, jsontree.Number:
		return quantity.Parse(value.Text)
	}
	return quantity.Amount{}, false
}

// sameAmount reports whether two texts are the same amount. Nothing is the same as zero.
func sameAmount(a, b string) bool {
	if a == b {
		return true
	}
	x, okX := amountOrZero(a)
	y, okY := amountOrZero(b)
	return okX && okY && x.Compare(y) == 0
}

func amountOrZero(text string) (q quantity.Amount, ok bool) {
	if text == "" {
		text = "0"
	}
	return quantity.Parse(text)
}
