package objects

import (
	"fmt"
	"strings"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/setplan/setplan/proto/rawjson"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// builder reads the objects of one request. It keeps the first thing that is wrong, and reads on without it.
type builder struct {
	limits   Limits
	pace     *rawjson.Pace
	wrong    *Error
	at       *origin // what is read
	elements int     // of lists and maps so far
	yaml     int     // bytes of claim templates so far
	from     map[string][]*origin
	tables   setplanv1.Tables
	places   map[place]uint32 // where what objects share is in its table
}

func (b *builder) fail(at rawjson.Value, what string, args ...any) {
	if b.wrong == nil {
		b.wrong = &Error{Field: b.at.field(at), Description: fmt.Sprintf(what, args...)}
	}
}

// element counts one element of a list or a map, as codec.Check counts those of a message: before it takes memory.
func (b *builder) element(at rawjson.Value) bool {
	b.pace.Spend(perObject)
	if b.elements++; b.limits.MaxElements > 0 && b.elements > b.limits.MaxElements {
		b.fail(at, "more than %d elements of lists and maps in one request", b.limits.MaxElements)
	}
	return b.wrong == nil
}

// text is what a string says; empty if it is not there.
func (b *builder) text(v rawjson.Value) string {
	if v.Is() && v.Kind() != '"' {
		b.fail(v, "must be a string")
	}
	return v.Text()
}

// amount is the text of a quantity.
func (b *builder) amount(v rawjson.Value) string {
	if kind := v.Kind(); kind == '-' || kind >= '0' && kind <= '9' {
		return string(v.Raw())
	}
	return b.text(v)
}

func (b *builder) flag(v rawjson.Value) bool {
	if v.Is() && v.Kind() != 't' && v.Kind() != 'f' {
		b.fail(v, "must be true or false")
	}
	return v.Kind() == 't'
}

func (b *builder) int(v rawjson.Value, bits int) int64 {
	if !v.Is() {
		return 0
	}
	n, ok := v.Int(bits)
	if !ok {
		b.fail(v, "must be a whole number of at most %d bits", bits)
	}
	return n
}

func (b *builder) time(v rawjson.Value) time.Time {
	at, err := time.Parse(time.RFC3339, b.text(v))
	if err != nil {
		b.fail(v, "must be a time such as 2026-01-02T15:04:05Z")
	}
	return at
}

// field is a key of an object, and where its value goes.
type field struct {
	key  string
	into any // *string, *bool, *int32, **int32, *int64, *millis, **timestamppb.Timestamp, or *rawjson.Value for what is looked into
}

// millis is a time in the contract's form; 0 if it is not there.
type millis int64

// read reads the fields of an object, which need not be there.
func (b *builder) read(v rawjson.Value, fields ...field) {
	for w := b.members(v); w.Next(); {
		key := w.Key()
		for i := range fields {
			if fields[i].key == string(key) {
				b.put(w.Value, fields[i].into)
				break
			}
		}
	}
}

func (b *builder) put(v rawjson.Value, into any) {
	switch into := into.(type) {
	case *rawjson.Value:
		*into = v
	case *string:
		*into = b.text(v)
	case *bool:
		*into = b.flag(v)
	case *int32:
		*into = int32(b.int(v, 32))
	case **int32:
		if *into = nil; v.Is() {
			n := int32(b.int(v, 32))
			*into = &n
		}
	case *int64:
		*into = b.int(v, 64)
	case *millis:
		if *into = 0; v.Is() {
			*into = millis(b.time(v).UnixMilli())
		}
	case **timestamppb.Timestamp:
		if *into = nil; v.Is() {
			*into = timestamppb.New(b.time(v))
		}
	}
}

// parts are those of every object.
func (b *builder) parts(object rawjson.Value) (meta, spec, status rawjson.Value) {
	b.read(object, field{"metadata", &meta}, field{"spec", &spec}, field{"status", &status})
	return meta, spec, status
}

func (b *builder) members(v rawjson.Value) rawjson.Walk {
	b.want(v, '{', "must be an object")
	return v.Members()
}

func (b *builder) want(v rawjson.Value, kind byte, what string) {
	if v.Is() && v.Kind() != kind {
		b.fail(v, "%s", what)
	}
}

// items are those of an array, which need not be there. Each counts.
func (b *builder) items(v rawjson.Value) items {
	b.want(v, '[', "must be an array")
	return items{v.Items(), b}
}

type items struct {
	rawjson.Walk
	b *builder
}

func (i *items) Next() bool { return i.Walk.Next() && i.b.element(i.Value) }

// get is the value at the end of a way of keys.
func (b *builder) get(v rawjson.Value, keys ...string) rawjson.Value {
	for _, key := range keys {
		var found rawjson.Value
		b.read(v, field{key, &found})
		v = found
	}
	return v
}

// strings are the strings of an object whose keys begin with a prefix; nil if there are none.
func (b *builder) strings(v rawjson.Value, prefix string) map[string]string {
	var all map[string]string
	for w := b.members(v); w.Next(); {
		key := string(w.Key())
		if !strings.HasPrefix(key, prefix) {
			continue
		}
		if !b.element(w.Value) {
			break
		}
		if all == nil {
			all = map[string]string{}
		}
		all[key] = b.text(w.Value)
	}
	return all
}

// conditions are those of an object, in its order.
func (b *builder) conditions(v rawjson.Value) (all []*setplanv1.Condition) {
	for w := b.items(v); w.Next(); {
		out := &setplanv1.Condition{}
		b.read(w.Value, field{"type", &out.Type}, field{"status", &out.Status}, field{"reason", &out.Reason}, field{"message", &out.Message},
			field{"lastTransitionTime", &out.LastTransitionTime})
		all = append(all, out)
	}
	return all
}

// metadata is what objects of all kinds have.
type metadata struct {
	name, namespace, uid, resourceVersion   string
	generation                              int64
	created, deleted                        millis
	grace                                   rawjson.Value // metadata.deletionGracePeriodSeconds
	labels, annotations, owners, finalizers rawjson.Value
}

func (b *builder) metadata(v rawjson.Value) (m metadata) {
	b.read(v, field{"name", &m.name}, field{"namespace", &m.namespace}, field{"uid", &m.uid}, field{"resourceVersion", &m.resourceVersion},
		field{"generation", &m.generation}, field{"creationTimestamp", &m.created}, field{"deletionTimestamp", &m.deleted}, field{"deletionGracePeriodSeconds", &m.grace},
		field{"labels", &m.labels}, field{"annotations", &m.annotations}, field{"ownerReferences", &m.owners}, field{"finalizers", &m.finalizers})
	if m.uid == "" {
		b.fail(v, "must have a uid: a manifest has none, and what an API server sends has one")
	}
	return m
}

// cutText makes a text no longer than some bytes, without half a character at the end.
func cutText(text string, longest int) string {
	return strings.ToValidUTF8(text[:min(len(text), longest)], "")
}
