package podtemplate

import (
	"slices"

	"github.com/setplan/setplan/engine/jsontree"
	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/quantity"
)

// Amount is the place of an amount in a pod.
type Amount struct {
	Container string
	Key       int // of model.Resizable
}

// Amounts are quantities; "" is none.
type Amounts map[Amount]string

// Put adds an amount.
func (a *Amounts) Put(container string, key int, quantity string) {
	if *a == nil {
		*a = Amounts{}
	}
	(*a)[Amount{container, key}] = quantity
}

// Value is the amounts as JSON: {"web":{"limits":{"cpu":"1"}}}.
func (a Amounts) Value() jsontree.Value {
	of := make(map[string]jsontree.Value, len(a))
	for at, quantity := range a {
		k, container := &model.Resizable[at.Key], of[at.Container]
		of[at.Container] = container.With(k.List, container.Get(k.List).With(k.Resource, jsontree.NewString(quantity)))
	}
	members := make([]jsontree.Member, 0, len(of))
	for name, container := range of { // which are written in order
		members = append(members, jsontree.Member{Key: name, Value: container})
	}
	return jsontree.NewObject(members...)
}

// ReadAmounts is the way back. It takes what it knows.
func ReadAmounts(of jsontree.Value) (a Amounts) {
	for _, container := range of.Members() {
		for _, list := range container.Value.Members() {
			for _, m := range list.Value.Members() {
				key := slices.IndexFunc(model.Resizable[:], func(k model.ResizableKey) bool { return k.List == list.Key && k.Resource == m.Key })
				if key >= 0 {
					a.Put(container.Key, key, m.Value.Text)
				}
			}
		}
	}
	return a
}

func isObjectOrNone(v jsontree.Value) bool {
	return v.Kind == jsontree.Object || v.Kind == jsontree.Null
}

// AmountIn is the amount that a container of a template asks for, by the place in model.Resizable. The API server fills in a request that is missing from the
// limit, when it makes the pod.
func AmountIn(container jsontree.Value, key int) jsontree.Value {
	k, resources := &model.Resizable[key], container.Get("resources")
	value := resources.Get(k.List).Get(k.Resource)
	if value.Kind == jsontree.Null && k.List == "requests" {
		return resources.Get("limits").Get(k.Resource)
	}
	return value
}

// ReadAmount reads an amount of a template. ok is false for what is no quantity. An API server takes a number for its text.
func ReadAmount(value jsontree.Value) (q quantity.Amount, ok bool) {
	switch value.Kind {
	case jsontree.Null:
		return quantity.Amount{}, true
	case jsontree.String, jsontree.Number:
		return quantity.Parse(value.Text)
	}
	return quantity.Amount{}, false
}

// SameAmount reports whether two texts are the same amount. Nothing is the same as zero.
func SameAmount(a, b string) bool {
	if a == b {
		return true
	}
	x, okX := AmountOrZero(a)
	y, okY := AmountOrZero(b)
	return okX && okY && x.Compare(y) == 0
}

// AmountOrZero reads an amount; none is zero. ok is false if the text is no quantity.
func AmountOrZero(text string) (q quantity.Amount, ok bool) {
	if text == "" {
		text = "0"
	}
	return quantity.Parse(text)
}
