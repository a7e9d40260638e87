package engine

import (
	"fmt"

	"github.com/setplan/setplan/engine/jsontree"
)

// claimTemplate is one entry of spec.volumeClaimTemplates, read.
type claimTemplate struct {
	name   string
	prefix string // of its claims' names: "<name>-<set>-"
	source []byte
	tree   jsontree.Value
	made   *manifest // when first needed
}

// readTemplates reads the pod template and the claim templates; what cannot be read stops everything, since a pod
// without its template's volumes would be worse than none.
func (d *decision) readTemplates() bool {
	var err error
	if d.template, err = jsontree.Parse(d.set.PodTemplate); err == nil {
		err = checkPodTemplate(d.template)
	}
	if err == nil {
		err = d.templateMatchesSelector()
	}
	if err != nil {
		d.attention(BlockInvalidTemplate, fmt.Sprintf("spec.template cannot be used: %v.", err), "Correct spec.template.")
		return false
	}
	d.templates = make([]claimTemplate, len(d.set.ClaimTemplates))
	for i, source := range d.set.ClaimTemplates {
		if err := d.readClaimTemplate(i, source); err != nil {
			d.attention(BlockInvalidTemplate, fmt.Sprintf("spec.volumeClaimTemplates[%d] cannot be used: %v.", i, err),
				fmt.Sprintf("Correct spec.volumeClaimTemplates[%d].", i))
			return false
		}
	}
	return true
}

func (d *decision) readClaimTemplate(i int, source []byte) error {
	tree, err := jsontree.Parse(source)
	if err != nil {
		return err
	}
	name := tree.Get("metadata").Get("name")
	if name.Kind != jsontree.String || name.Text == "" {
		return fmt.Errorf("it has no metadata.name")
	}
	for _, earlier := range d.templates[:i] {
		if earlier.name == name.Text {
			return fmt.Errorf("the name %q is used twice", name.Text)
		}
	}
	if err := checkLabels(tree.Get("metadata").Get("labels")); err != nil {
		return err
	}
	d.templates[i] = claimTemplate{name: name.Text, prefix: name.Text + "-" + d.set.Name + "-", source: source, tree: tree}
	return nil
}

// templateMatchesSelector makes sure that the set would own the pods it creates; else it would create them for ever.
func (d *decision) templateMatchesSelector() error {
	labels := d.template.Get("metadata").Get("labels")
	identity := func(key string) bool { return key == labelPodName || key == labelPodIndex || key == labelRevision }
	get := func(key string) (string, bool) {
		v := labels.Get(key)
		return v.Text, v.Kind == jsontree.String
	}
	for _, key := range []string{labelPodName, labelPodIndex, labelRevision} {
		if _, named := d.set.Selector.MatchLabels[key]; named {
			return nil // known only when a pod is made
		}
	}
	for _, e := range d.set.Selector.Expressions {
		if identity(e.Key) {
			return nil
		}
	}
	if !d.set.Selector.matches(get) {
		return fmt.Errorf("its labels do not match spec.selector")
	}
	return nil
}

// newPod returns the manifest of the pod of an ordinal at the current or the update revision. ok is false, with a
// block, where the current revision's data cannot be used.
func (d *decision) newPod(ordinal int32, atCurrent bool) (doc []byte, revision string, ok bool) {
	choice, which := d.update, 1
	if atCurrent && d.current.name != d.update.name {
		choice, which = d.current, 0
	}
	if d.pods[which] == nil {
		template, source := d.template, d.set.PodTemplate
		if choice.data != nil {
			if template, ok = templateOf(choice.data); !ok || checkPodTemplate(template) != nil {
				d.block(Block{Code: BlockInvalidRevision, Severity: Attention, Kind: KindRevision, Name: choice.name,
					Sentence: "Pods below the partition are made from this revision, and its data holds no usable template.",
					Remedy:   "Set the partition to 0, so that these pods get the update revision."})
				return nil, "", false
			}
			source = choice.data
		}
		m := d.podManifest(template, source, choice.name)
		d.pods[which] = &m
	}
	doc = d.pods[which].with(ordinal)
	d.manifestBytes += len(doc)
	return doc, choice.name, true
}

func (d *decision) newClaim(t *claimTemplate, ordinal int32) []byte {
	if t.made == nil {
		m := d.claimManifest(t)
		t.made = &m
	}
	doc := t.made.with(ordinal)
	d.manifestBytes += len(doc)
	return doc
}
