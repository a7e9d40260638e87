package server

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// text is one text in a message: a string, a key of a map, or a document, which is JSON in bytes.
type text struct {
	path     string
	document bool
	get      func() string
	set      func(string)
}

// textsOf lists a message's texts, always in the same order.
func textsOf(m proto.Message) []text { return textsIn(nil, "", m.ProtoReflect()) }

func textsIn(all []text, path string, m protoreflect.Message) []text {
	for i := range m.Descriptor().Fields().Len() {
		field := m.Descriptor().Fields().Get(i)
		if !m.Has(field) {
			continue
		}
		at := strings.TrimPrefix(path+"."+string(field.Name()), ".")
		switch {
		case field.IsMap():
			all = textsOfMap(all, at, field, m.Mutable(field).Map())
		case field.IsList():
			list := m.Mutable(field).List()
			for i := range list.Len() {
				if field.Message() != nil {
					all = textsIn(all, at+"[]", list.Get(i).Message())
				} else {
					all = addText(all, at+"[]", field, func() protoreflect.Value { return list.Get(i) }, func(v protoreflect.Value) { list.Set(i, v) })
				}
			}
		case field.Message() != nil:
			all = textsIn(all, at, m.Mutable(field).Message())
		default:
			all = addText(all, at, field, func() protoreflect.Value { return m.Get(field) }, func(v protoreflect.Value) { m.Set(field, v) })
		}
	}
	return all
}

func textsOfMap(all []text, path string, field protoreflect.FieldDescriptor, entries protoreflect.Map) []text {
	values := map[string]protoreflect.MapKey{}
	entries.Range(func(key protoreflect.MapKey, _ protoreflect.Value) bool {
		values[key.String()] = key
		return true
	})
	for _, name := range slices.Sorted(maps.Keys(values)) {
		key := values[name]
		all = addText(all, path+"{}", field.MapValue(), func() protoreflect.Value { return entries.Get(key) },
			func(v protoreflect.Value) { entries.Set(key, v) })
		all = addText(all, path+"{key}", field.MapKey(), func() protoreflect.Value { return key.Value() }, func(v protoreflect.Value) {
			value := entries.Get(key)
			entries.Clear(key)
			entries.Set(v.MapKey(), value)
		})
	}
	return all
}

func addText(all []text, path string, field protoreflect.FieldDescriptor, get func() protoreflect.Value, set func(protoreflect.Value)) []text {
	switch field.Kind() {
	case protoreflect.StringKind:
		return append(all, text{path, false, func() string { return get().String() },
			func(s string) { set(protoreflect.ValueOfString(s)) }})
	case protoreflect.BytesKind:
		return append(all, text{path, true, func() string { return string(get().Bytes()) },
			func(s string) { set(protoreflect.ValueOfBytes([]byte(s))) }})
	}
	return all
}

// yamlComment before JSON makes it YAML that is no JSON.
const yamlComment = "# YAML\n"

// place is where a request has a text: in a field of the contract, or in a JSON document in one.
type place struct {
	path string // for a place in a document: the field, a colon, and the place in the document
	with func(text string) *setplanv1.PlanRequest
}

func places(t *testing.T, base *setplanv1.PlanRequest) (all []place) {
	t.Helper()
	for i, found := range textsOf(base) {
		with := func(text string) *setplanv1.PlanRequest {
			changed := proto.CloneOf(base)
			textsOf(changed)[i].set(text)
			return changed
		}
		if !found.document {
			all = append(all, place{found.path, with})
		}
		document, isYAML := strings.CutPrefix(found.get(), yamlComment)
		if !found.document && !strings.HasPrefix(document, "{") {
			continue
		}
		before := ""
		if isYAML {
			before = yamlComment
		}
		for _, where := range jsonPlaces(t, document) { // an annotation may hold a document, too
			all = append(all, place{found.path + ":" + where.path, func(text string) *setplanv1.PlanRequest { return with(before + where.with(text)) }})
		}
	}
	return all
}

// jsonPlace is a value or a key in a JSON document, or the whole of one that is not JSON.
type jsonPlace struct {
	path string
	with func(text string) string
}

func jsonPlaces(t *testing.T, document string) []jsonPlace {
	t.Helper()
	all := []jsonPlace{
		{"no JSON", func(text string) string { return text }},
		{"cut off", func(text string) string { return `{"metadata":{"name":"` + text }},
		{"followed by more", func(text string) string { return document + text }},
	}
	var root any
	if err := json.Unmarshal([]byte(document), &root); err != nil {
		return all
	}
	// Each place is a change of a fresh copy, found by its number.
	var walk func(value any, path string, visit func(path string, replace func(any))) any
	walk = func(value any, path string, visit func(string, func(any))) any {
		visit(path, func(v any) { value = v })
		switch v := value.(type) {
		case map[string]any:
			for _, key := range slices.Sorted(maps.Keys(v)) {
				at := strings.TrimPrefix(path+"."+key, ".")
				v[key] = walk(v[key], at, visit)
				visit(at+"{key}", func(name any) { v[name.(string)] = v[key]; delete(v, key) })
			}
		case []any:
			for i := range v {
				v[i] = walk(v[i], path+"[]", visit)
			}
		}
		return value
	}
	count := 0
	walk(root, "", func(path string, _ func(any)) {
		at := count
		count++
		all = append(all, jsonPlace{path, func(text string) string {
			var fresh any
			if err := json.Unmarshal([]byte(document), &fresh); err != nil {
				t.Fatal(err)
			}
			now := 0
			fresh = walk(fresh, "", func(_ string, replace func(any)) {
				if now == at {
					replace(text)
				}
				now++
			})
			out, err := json.Marshal(fresh)
			if err != nil {
				t.Fatal(err)
			}
			return string(out)
		}})
	})
	return all
}
