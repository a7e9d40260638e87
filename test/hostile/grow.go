package hostile

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// Axis is one way in which a request can grow: more elements of a list, a longer text, a document with more in it. They are
// read off the contract, so that a new field is one from its first day.
type Axis struct {
	way  []protoreflect.FieldDescriptor
	grow growth
}

// growth says what of a field grows.
type growth string

const (
	elements growth = "elements"
	text     growth = "text"
	values   growth = "values" // of a document of JSON
	keys     growth = "keys"
	depth    growth = "depth"
	number   growth = "number" // whose bytes are few whatever it is
)

// String is the field and what of it grows.
func (a Axis) String() string {
	names := make([]string, len(a.way))
	for i, field := range a.way {
		names[i] = string(field.Name())
	}
	return strings.Join(names[1:], ".") + ":" + string(a.grow)
}

// Axes lists all of them.
func Axes() (axes []Axis) {
	var walk func(m protoreflect.MessageDescriptor, way []protoreflect.FieldDescriptor)
	walk = func(m protoreflect.MessageDescriptor, way []protoreflect.FieldDescriptor) {
		for i := range m.Fields().Len() {
			field := m.Fields().Get(i)
			way := append(slices.Clone(way), field)
			if field.Cardinality() == protoreflect.Repeated {
				axes = append(axes, Axis{way, elements})
			}
			switch {
			case field.IsMap():
				axes = append(axes, Axis{way, text})
			case field.Message() != nil:
				walk(field.Message(), way)
			case field.Kind() == protoreflect.StringKind:
				axes = append(axes, Axis{way, text})
			case field.Kind() == protoreflect.Int32Kind:
				axes = append(axes, Axis{way, number})
			case field.Kind() == protoreflect.BytesKind:
				for _, grow := range []growth{text, values, keys, depth} {
					axes = append(axes, Axis{way, grow})
				}
			}
		}
	}
	walk((&setplanv1.Snapshot{}).ProtoReflect().Descriptor(), []protoreflect.FieldDescriptor{
		(&setplanv1.PlanRequest{}).ProtoReflect().Descriptor().Fields().ByName("snapshot")})
	return axes
}

// Grow lets a request grow to n along an axis. In a list on the way it is the last element that grows, which others may share:
// the first entry of a table stays empty.
func (a Axis) Grow(r *setplanv1.PlanRequest, n int) {
	m := r.ProtoReflect()
	for _, field := range a.way[:len(a.way)-1] {
		if !field.IsList() {
			m = m.Mutable(field).Message()
			continue
		}
		list := m.Mutable(field).List()
		if list.Len() == 0 {
			list.AppendMutable()
		}
		m = list.Get(list.Len() - 1).Message()
	}
	field := a.way[len(a.way)-1]
	switch {
	case a.grow == elements && field.IsMap():
		entries := m.Mutable(field).Map()
		for i := range n {
			entries.Set(protoreflect.ValueOfString("k"+strconv.Itoa(i)).MapKey(), protoreflect.ValueOfString("v"))
		}
	case field.IsMap():
		growValue(m.Mutable(field).Map(), n)
	case a.grow == elements:
		growList(m.Mutable(field).List(), field, n)
	case field.IsList():
		list := m.Mutable(field).List()
		if list.Len() == 0 {
			list.Append(list.NewElement())
		}
		last := list.Len() - 1
		list.Set(last, a.longer(field, list.Get(last), n))
	default:
		m.Set(field, a.longer(field, m.Get(field), n))
	}
}

// growValue makes the first text of a map longer, by the order of the keys.
func growValue(entries protoreflect.Map, n int) {
	first := ""
	entries.Range(func(key protoreflect.MapKey, _ protoreflect.Value) bool {
		if name := key.String(); first == "" || name < first {
			first = name
		}
		return true
	})
	if first == "" {
		first = "k"
	}
	key, was := protoreflect.ValueOfString(first).MapKey(), ""
	if entries.Has(key) {
		was = entries.Get(key).String()
	}
	entries.Set(key, protoreflect.ValueOfString(was+strings.Repeat("x", n)))
}

// growList repeats the last element under other names.
func growList(list protoreflect.List, field protoreflect.FieldDescriptor, n int) {
	for i := list.Len(); i < n; i++ {
		switch field.Kind() {
		case protoreflect.MessageKind:
			if list.Len() == 0 {
				list.AppendMutable()
				continue
			}
			element := proto.Clone(list.Get(list.Len() - 1).Message().Interface()).ProtoReflect()
			rename(element, i)
			list.Append(protoreflect.ValueOfMessage(element))
		case protoreflect.StringKind:
			list.Append(protoreflect.ValueOfString("d" + strconv.Itoa(i)))
		case protoreflect.BytesKind:
			list.Append(protoreflect.ValueOfBytes(fmt.Appendf(nil, `{"metadata":{"name":"d%d"}}`, i)))
		default:
			list.Append(protoreflect.ValueOfEnum(1))
		}
	}
}

// rename gives an element the names of the i-th: web-0 becomes web-7, and a key or a uid another.
func rename(element protoreflect.Message, i int) {
	fields := element.Descriptor().Fields()
	for _, name := range []protoreflect.Name{"name", "uid", "key", "type", "action_id", "volume"} {
		if field := fields.ByName(name); field != nil && field.Kind() == protoreflect.StringKind {
			text := element.Get(field).String()
			element.Set(field, protoreflect.ValueOfString(strings.TrimRight(text, "0123456789")+strconv.Itoa(i)))
		}
	}
}

// longer makes a text longer, a number larger, or a document that holds more.
func (a Axis) longer(field protoreflect.FieldDescriptor, value protoreflect.Value, n int) protoreflect.Value {
	if a.grow == number {
		return protoreflect.ValueOfInt32(int32(n))
	}
	if field.Kind() == protoreflect.StringKind {
		return protoreflect.ValueOfString(value.String() + strings.Repeat("x", n))
	}
	more := map[growth]func() string{
		text:   func() string { return `"` + strings.Repeat("\x7f", n) + `"` },
		values: func() string { return "[0" + strings.Repeat(",0", n) + "]" },
		keys:   func() string { return manyKeys(n, "0") },
		depth: func() string {
			n := min(n/20, 150)
			return strings.Repeat(`{"a":`, n) + "0" + strings.Repeat("}", n)
		},
	}[a.grow]()
	document := strings.TrimSpace(string(value.Bytes()))
	if !strings.HasPrefix(document, "{") || document == "{}" {
		document = `{"x":0}`
	}
	return protoreflect.ValueOfBytes([]byte(fmt.Sprintf(`{"%s":%s,%s`, a.grow, more, document[1:])))
}
