package objects

import (
	"fmt"
	"iter"
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
	tables   tables
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

func (b *builder) int64(v rawjson.Value) int64 { return b.int(v, 64) }
func (b *builder) int32(v rawjson.Value) int32 { return int32(b.int(v, 32)) }

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

// maybe32 is nil if the number is not there.
func (b *builder) maybe32(v rawjson.Value) *int32 {
	if !v.Is() {
		return nil
	}
	n := b.int32(v)
	return &n
}

// time is the zero time if it is not there.
func (b *builder) time(v rawjson.Value) time.Time {
	if !v.Is() {
		return time.Time{}
	}
	at, err := time.Parse(time.RFC3339, b.text(v))
	if err != nil {
		b.fail(v, "must be a time such as 2026-01-02T15:04:05Z")
	}
	return at
}

// millis is a time in the contract's form; 0 if it is not there.
func (b *builder) millis(v rawjson.Value) int64 {
	if at := b.time(v); !at.IsZero() {
		return at.UnixMilli()
	}
	return 0
}

func (b *builder) timestamp(v rawjson.Value) *timestamppb.Timestamp {
	if at := b.time(v); !at.IsZero() {
		return timestamppb.New(at)
	}
	return nil
}

// members are those of an object, which need not be there.
func (b *builder) members(v rawjson.Value) iter.Seq2[[]byte, rawjson.Value] {
	b.want(v, '{', "must be an object")
	return v.Members()
}

func (b *builder) want(v rawjson.Value, kind byte, what string) {
	if v.Is() && v.Kind() != kind {
		b.fail(v, "%s", what)
	}
}

// items are those of an array, which need not be there. Each counts.
func (b *builder) items(v rawjson.Value) iter.Seq2[int, rawjson.Value] {
	b.want(v, '[', "must be an array")
	return func(yield func(int, rawjson.Value) bool) {
		for i, item := range v.Items() {
			if !b.element(item) || !yield(i, item) {
				return
			}
		}
	}
}

// get is the value at the end of a way of keys.
func (b *builder) get(v rawjson.Value, keys ...string) rawjson.Value {
	for _, key := range keys {
		var found rawjson.Value
		for name, member := range b.members(v) {
			if string(name) == key {
				found = member
			}
		}
		v = found
	}
	return v
}

// texts are the strings of an array.
func (b *builder) texts(v rawjson.Value) (all []string) {
	for _, item := range b.items(v) {
		all = append(all, b.text(item))
	}
	return all
}

// strings are the strings of an object whose keys begin with a prefix; nil if there are none.
func (b *builder) strings(v rawjson.Value, prefix string) map[string]string {
	var all map[string]string
	for key, member := range b.members(v) {
		if !strings.HasPrefix(string(key), prefix) {
			continue
		}
		if !b.element(member) {
			break
		}
		if all == nil {
			all = map[string]string{}
		}
		all[strings.ToValidUTF8(string(key), "\uFFFD")] = b.text(member)
	}
	return all
}

// conditions are those of an object, in its order.
func (b *builder) conditions(v rawjson.Value) (all []*setplanv1.Condition) {
	for _, item := range b.items(v) {
		out := &setplanv1.Condition{}
		for key, member := range b.members(item) {
			switch string(key) {
			case "type":
				out.Type = b.text(member)
			case "status":
				out.Status = b.text(member)
			case "reason":
				out.Reason = b.text(member)
			case "message":
				out.Message = b.text(member)
			case "lastTransitionTime":
				out.LastTransitionTime = b.timestamp(member)
			}
		}
		all = append(all, out)
	}
	return all
}

// metadata is what objects of all kinds have, but for labels and annotations.
type metadata struct {
	name, namespace, uid, resourceVersion   string
	generation, created, deleted            int64
	labels, annotations, owners, finalizers rawjson.Value
}

func (b *builder) metadata(v rawjson.Value) (m metadata) {
	for key, member := range b.members(v) {
		switch string(key) {
		case "name":
			m.name = b.text(member)
		case "namespace":
			m.namespace = b.text(member)
		case "uid":
			m.uid = b.text(member)
		case "resourceVersion":
			m.resourceVersion = b.text(member)
		case "generation":
			m.generation = b.int64(member)
		case "creationTimestamp":
			m.created = b.millis(member)
		case "deletionTimestamp":
			m.deleted = b.millis(member)
		case "labels":
			m.labels = member
		case "annotations":
			m.annotations = member
		case "ownerReferences":
			m.owners = member
		case "finalizers":
			m.finalizers = member
		}
	}
	if m.uid == "" {
		b.fail(v, "must have a uid: a manifest has none, and what an API server sends has one")
	}
	return m
}

// cutText makes a text no longer than some bytes, without half a character at the end.
func cutText(text string, longest int) string {
	return strings.ToValidUTF8(text[:min(len(text), longest)], "")
}
