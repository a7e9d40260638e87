package objects

import (
	"bytes"
	"errors"

	"github.com/setplan/setplan/engine/jsontree"
	"github.com/setplan/setplan/proto/rawjson"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// edit gives an edited set what the API server would give it: the status that is stored, and the next generation if the spec differs. A manifest that was edited in a file
// has the generation that was stored, and by it the planner would take it for the set that it has planned.
func (b *builder) edit(c *candidates, set *setplanv1.StatefulSet) {
	if !c.set.edited {
		return
	}
	observed, differs := set.GetStatus().GetObservedGeneration(), true
	if c.stored != nil {
		b.at = c.stored
		meta, spec, status := b.parts(c.stored.JSON)
		set.Status, observed = b.status(status), b.metadata(meta).generation
		was := b.canonical(spec)
		b.at = c.set
		differs = !bytes.Equal(was, b.canonical(b.get(c.set.JSON, "spec")))
	}
	switch {
	case set.Generation > observed:
	case differs:
		set.Generation = observed + 1
	default:
		set.Generation = observed
	}
}

// fill gives the template of a kind other than apps/v1 the defaults of the API server, which an adapter asks for. Here the update revision has them, if it is that of
// the set as it is stored. What was edited since stands as it is.
func (b *builder) fill(c *candidates, set *setplanv1.StatefulSet, revisions []*setplanv1.Revision) {
	stored := c.set
	if c.stored != nil {
		stored = c.stored
	}
	b.at = stored
	meta, spec, _ := b.parts(stored.JSON)
	if c.kind.APIVersion == builtin || b.metadata(meta).generation != set.GetStatus().GetObservedGeneration() {
		return
	}
	for i, revision := range revisions {
		if revision.GetName() != set.GetStatus().GetUpdateRevision() || !b.controls(b.from["revisions"][i].JSON, set.GetUid()) {
			continue
		}
		data, _ := b.object(revision.GetData())
		with, err := b.tree(data.Get("spec").Get("template").Raw())
		before, err2 := b.tree(b.get(spec, "template").Raw())
		edited, err3 := b.tree(set.GetPodTemplate())
		if errors.Join(err, err2, err3) == nil { // else the planner says what is wrong
			set.PodTemplate = jsontree.Append(nil, b.filled(with.Without("$patch"), before, edited))
		}
	}
}

// filled is an edited value with the defaults that the stored one got. An array's items keep their places.
func (b *builder) filled(with, stored, edited jsontree.Value) jsontree.Value {
	b.pace.Spend(perObject)
	switch {
	case edited.Kind != stored.Kind || edited.Kind != with.Kind:
		return edited
	case edited.Kind == jsontree.Object:
		had, has := members(stored), members(with)
		var all []jsontree.Member
		for _, m := range edited.Members() {
			if before, ok := had[m.Key]; ok {
				m.Value = b.filled(has[m.Key], before, m.Value)
			}
			all = append(all, m)
			had[m.Key] = m.Value
		}
		for _, m := range with.Members() {
			if _, ok := had[m.Key]; !ok {
				all = append(all, m)
			}
		}
		return jsontree.NewObject(all...)
	case edited.Kind == jsontree.Array:
		var all []jsontree.Value
		for i, item := range edited.Items() {
			if i < len(stored.Items()) && i < len(with.Items()) {
				item = b.filled(with.Items()[i], stored.Items()[i], item)
			}
			all = append(all, item)
		}
		return jsontree.NewArray(all...)
	case edited.Text == stored.Text:
		return with // the API server may write a quantity in another way
	}
	return edited
}

func members(v jsontree.Value) map[string]jsontree.Value {
	all := make(map[string]jsontree.Value, len(v.Members()))
	for _, m := range v.Members() {
		all[m.Key] = m.Value
	}
	return all
}

// canonical is the same for values that mean the same.
func (b *builder) canonical(v rawjson.Value) []byte {
	tree, err := b.tree(v.Raw())
	if err != nil && v.Is() {
		b.fail(v, "cannot be compared: %v", err)
	}
	return jsontree.Append(nil, tree)
}

func (b *builder) tree(text []byte) (jsontree.Value, error) {
	b.pace.Spend(len(text))
	return jsontree.Parse(text)
}
