package jsontree

import (
	"slices"
	"strings"
)

// Kind is the type of a Value.
type Kind uint8

// The kinds of JSON values.
const (
	Null Kind = iota
	Bool
	Number
	String
	Array
	Object
)

// Value is a JSON value. The zero Value is null.
type Value struct {
	Kind   Kind
	cut    bool   // String: AppendCut notes where it ends, so that something can be put in there
	Text   string // String: decoded; Number: as written; Bool: "true" or "false"
	inside *inside
}

// inside is what an array or an object has: apart, because most values have nothing, and long lists of them are copied.
type inside struct {
	items   []Value
	members []Member
}

// Member is one key of an object with its value.
type Member struct {
	Key   string
	Value Value
}

// NewString makes a string.
func NewString(text string) Value { return Value{Kind: String, Text: text} }

// NewCut makes a string that something follows before it ends; see AppendCut.
func NewCut(text string) Value { return Value{Kind: String, cut: true, Text: text} }

// NewObject makes an object.
func NewObject(members ...Member) Value {
	return Value{Kind: Object, inside: &inside{members: members}}
}

// NewArray makes an array.
func NewArray(items ...Value) Value { return Value{Kind: Array, inside: &inside{items: items}} }

// Members are those of an object in the order of the input, a repeated key once, with its last value; they are not to be changed.
func (v Value) Members() []Member {
	if v.inside == nil {
		return nil
	}
	return v.inside.members
}

// Items are those of an array; they are not to be changed.
func (v Value) Items() []Value {
	if v.inside == nil {
		return nil
	}
	return v.inside.items
}

// Get returns the value of a key, and null where v is no object or has no such key.
func (v Value) Get(key string) Value {
	members := v.Members()
	for i := range members {
		if members[i].Key == key {
			return members[i].Value
		}
	}
	return Value{}
}

// With returns a copy of an object with the key set; v is not changed. A v that is no object counts as an empty one.
func (v Value) With(key string, value Value) Value { return WithAll(v, NewObject(Member{key, value})) }

// WithAll is a copy of an object with every member of other, which is an object, and without some keys, in time linear in both.
func WithAll(v, other Value, without ...string) Value {
	over := make(map[string]bool, len(other.Members())+len(without))
	for _, key := range without {
		over[key] = true
	}
	for _, m := range other.Members() {
		over[m.Key] = true
	}
	members := make([]Member, 0, len(v.Members())+len(other.Members()))
	for _, m := range v.Members() {
		if !over[m.Key] {
			members = append(members, m)
		}
	}
	return NewObject(append(members, other.Members()...)...)
}

// Strings reads the members of v that are strings.
func Strings(v Value) map[string]string {
	out := make(map[string]string, len(v.Members()))
	for _, m := range v.Members() {
		if m.Value.Kind == String {
			out[m.Key] = m.Value.Text
		}
	}
	return out
}

// Without returns a copy of an object without the key; v is not changed.
func (v Value) Without(key string) Value { return WithAll(v, Value{}, key) }

// IsEmpty reports whether v is null or an object without members.
func (v Value) IsEmpty() bool {
	return v.Kind == Null || v.Kind == Object && len(v.Members()) == 0
}

// sorted returns members in the order of their keys; it does not change the list that it is given.
func sorted(members []Member) []Member {
	byKey := func(a, b Member) int { return strings.Compare(a.Key, b.Key) }
	if slices.IsSortedFunc(members, byKey) {
		return members
	}
	members = slices.Clone(members)
	slices.SortFunc(members, byKey)
	return members
}

// Pairs calls each with the values that two objects have for a key, null where one has none, for every key of either and in
// the order of the keys, until it returns false. It returns what the last call returned, and true where there was none.
func Pairs(a, b Value, each func(key string, a, b Value) bool) bool {
	left, right := sorted(a.Members()), sorted(b.Members())
	for len(left) > 0 || len(right) > 0 {
		var key string
		var x, y Value
		order := 0
		switch {
		case len(left) == 0:
			order = 1
		case len(right) == 0:
			order = -1
		default:
			order = strings.Compare(left[0].Key, right[0].Key)
		}
		if order <= 0 {
			key, x, left = left[0].Key, left[0].Value, left[1:]
		}
		if order >= 0 {
			key, y, right = right[0].Key, right[0].Value, right[1:]
		}
		if !each(key, x, y) {
			return false
		}
	}
	return true
}
