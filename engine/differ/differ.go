// Package differ says in one line what differs between two revisions of a set.
package differ

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/setplan/setplan/engine/jsontree"
	"github.com/setplan/setplan/engine/prose"
)

// What differs between two revisions is told in one line, so that people see at once whether that is worth a restart. It names fields. Of values it has
// only images, amounts and numbers: any other text, an environment variable above all, may be a secret.

// mostDifferences is how many the line has, and mostOfName how much of a name or value.
const (
	mostDifferences = 4
	mostOfName      = 80
)

// differences are what differs between two templates.
type differences struct {
	spend  func(bytes int)
	told   []string
	all    int
	orders int // of these, how many are about the order of a list
}

// Sentence is about two revisions, by their data; "" if one cannot be read.
func Sentence(from, to []byte) string { return Counted(func(int) {}, from, to) }

// Counted is Sentence, and tells spend of each piece of JSON before it is compared. It may end the work by a panic.
func Counted(spend func(bytes int), from, to []byte) string {
	spend(len(from) + len(to))
	a, err := jsontree.Parse(from)
	if err != nil {
		return ""
	}
	b, err := jsontree.Parse(to)
	if err != nil {
		return ""
	}
	d := &differences{spend: spend}
	template := func(of jsontree.Value) jsontree.Value { return of.Get("spec").Get("template") }
	x, y := template(a), template(b)
	for _, noun := range [...]string{"label", "annotation"} {
		d.keys(x.Get("metadata").Get(noun+"s"), y.Get("metadata").Get(noun+"s"), noun)
	}
	d.value(x.Get("spec"), y.Get("spec"), "", "")
	if rest := func(of jsontree.Value) jsontree.Value { return of.With("spec", of.Get("spec").Without("template")) }; !d.same(rest(a), rest(b)) {
		d.say("the claim templates")
	}
	return d.sentence()
}

func (d *differences) sentence() string {
	only := ""
	switch {
	case d.all == 0:
		return "No field of the pod template differs."
	case d.all == d.orders:
		only = "only "
	}
	text := "What differs: " + only + strings.Join(d.told, ", ")
	if more := d.all - len(d.told); more > 0 {
		text += ", and " + strconv.Itoa(more) + " more"
	}
	return text + "."
}

func (d *differences) say(what string) {
	if d.all++; d.all <= mostDifferences {
		d.told = append(d.told, what)
	}
}

// keys compares labels or annotations.
func (d *differences) keys(a, b jsontree.Value, noun string) {
	jsontree.Pairs(a, b, func(key string, x, y jsontree.Value) bool {
		if !d.same(x, y) {
			d.say(noun + " " + clip(key) + cameOrWent(x, y))
		}
		return true
	})
}

// value compares what is at a field, such as "resources.limits.memory"; of is whose field it is, such as " of container db". It writes each value once at most,
// however deep it is.
func (d *differences) value(a, b jsontree.Value, field, of string) {
	left, right := a.Items(), b.Items()
	switch {
	case a.Kind == jsontree.Object && b.Kind == jsontree.Object:
		jsontree.Pairs(a, b, func(key string, x, y jsontree.Value) bool {
			below := field
			if len(field) <= mostOfName { // no more of it is said
				below = strings.TrimPrefix(field+"."+key, ".")
			}
			if x.Kind == y.Kind || !d.same(member(key, x), member(key, y)) {
				d.value(x, y, below, of)
			}
			return true
		})
	case len(left)+len(right) > 0:
		d.list(left, right, field, of)
	case !d.same(a, b):
		d.say(clip(field) + of + cameOrWent(a, b) + fromTo(field, a, b))
	}
}

// member is an object that has nothing else: of some members {} is the same as nothing.
func member(key string, value jsontree.Value) jsontree.Value {
	return jsontree.NewObject(jsontree.Member{Key: key, Value: value})
}

// nouns call an item of some lists.
var nouns = map[string]string{"containers": "container", "initContainers": "init container", "volumes": "volume", "env": "env"}

// list compares two lists, by the names of their items where each has one of its own.
func (d *differences) list(left, right []jsontree.Value, field, of string) {
	before, named := byNames(left)
	after, too := byNames(right)
	if !named || !too {
		switch one, other := d.written(left), d.written(right); {
		case slices.Equal(one, other):
		case slices.Equal(slices.Sorted(slices.Values(one)), slices.Sorted(slices.Values(other))):
			d.orders++
			d.say("the order of " + clip(field) + of)
		default:
			d.say(clip(field) + of)
		}
		return
	}
	said := d.all
	noun := nouns[field]
	if noun == "" {
		noun = field
	}
	for _, item := range left {
		if name := item.Get("name").Text; after[name].Kind == jsontree.Null {
			d.say(clip(noun) + " " + clip(name) + of + " removed")
		}
	}
	for _, item := range right {
		name := item.Get("name").Text
		switch old := before[name]; {
		case old.Kind == jsontree.Null:
			d.say(clip(noun) + " " + clip(name) + of + " added")
		case noun == "env" && !d.same(old, item):
			d.say("env " + clip(name) + of)
		case noun == "env":
		default:
			d.value(old, item, "", " of "+clip(noun)+" "+clip(name)+of)
		}
	}
	if !slices.Equal(namesIn(left, after), namesIn(right, before)) {
		if d.all == said {
			d.orders++
		}
		d.say("the order of " + clip(field) + of)
	}
}

// namesIn lists the names of those items that another list has, too.
func namesIn(items []jsontree.Value, other map[string]jsontree.Value) (names []string) {
	for _, item := range items {
		if name := item.Get("name").Text; other[name].Kind != jsontree.Null {
			names = append(names, name)
		}
	}
	return names
}

// byNames finds items by their names; ok is false if one has none of its own.
func byNames(items []jsontree.Value) (found map[string]jsontree.Value, ok bool) {
	found = make(map[string]jsontree.Value, len(items))
	for _, item := range items {
		name := item.Get("name").Text
		if _, twice := found[name]; twice || name == "" || item.Kind != jsontree.Object {
			return nil, false
		}
		found[name] = item
	}
	return found, true
}

// written are the items as same compares them.
func (d *differences) written(items []jsontree.Value) []string {
	texts := make([]string, len(items))
	for i, item := range items {
		texts[i] = string(d.plain(nil, item))
		d.spend(len(texts[i]))
	}
	return texts
}

// same compares two values. A null and an empty list are the same as nothing.
func (d *differences) same(a, b jsontree.Value) bool {
	one, other := d.plain(nil, a), d.plain(nil, b)
	d.spend(len(one) + len(other))
	return string(one) == string(other)
}

// plain writes a value with its keys in order, and without what is the same as nothing.
func (d *differences) plain(out []byte, v jsontree.Value) []byte {
	switch v.Kind {
	case jsontree.Object:
		out = append(out, '{')
		jsontree.Pairs(v, v, func(key string, x, _ jsontree.Value) bool {
			before := len(out)
			out = strconv.AppendQuote(out, key)
			value := len(out)
			out = d.plain(out, x)
			if written := string(out[value:min(len(out), value+3)]); written == "" || written == "{}" && (key == "resources" || key == "securityContext") {
				out = out[:before]
			}
			return true
		})
		return append(out, '}')
	case jsontree.Array:
		for _, item := range v.Items() {
			out = append(d.plain(append(out, '['), item), ']')
		}
		return out
	case jsontree.Null:
		return out
	}
	return jsontree.Append(out, v)
}

func cameOrWent(a, b jsontree.Value) string {
	switch {
	case a.Kind == jsontree.Null:
		return " added"
	case b.Kind == jsontree.Null:
		return " removed"
	}
	return ""
}

// fromTo is ": OLD -> NEW" where both may be shown. Of an image that only gets another tag it is the tags.
func fromTo(field string, a, b jsontree.Value) string {
	shown := func(v jsontree.Value) bool {
		return v.Kind == jsontree.Number || v.Kind == jsontree.String && (field == "image" || strings.HasPrefix(field, "resources."))
	}
	if !shown(a) || !shown(b) {
		return ""
	}
	old, now := a.Text, b.Text
	if i := strings.LastIndexByte(old, ':'); field == "image" && i > strings.LastIndexByte(old, '/') && strings.HasPrefix(now, old[:i+1]) {
		old, now = old[i+1:], now[i+1:]
	}
	return fmt.Sprintf(": %s -> %s", clip(old), clip(now))
}

func clip(text string) string { return prose.Cut(text, mostOfName) }
