package engine

import (
	"fmt"

	"github.com/setplan/setplan/engine/jsontree"
)

// claimTemplate is one entry of spec.volumeClaimTemplates. Only its name is read; the rest when a claim is made.
type claimTemplate struct {
	name   string
	prefix string // of its claims' names: "<name>-<set>-"
	source []byte
	made   *manifest
}

// madeOf is what the pods of a revision are made of.
type madeOf struct {
	manifest *manifest
	unusable bool
}

// readTemplate reads the pod template. One that is stored in the newest revision as it stands was read when that revision
// was made, and is read again only when a pod is made: most plans need nothing of it.
func (d *decision) readTemplate() bool {
	if d.templateRead {
		return true
	}
	var err error
	if d.template, err = jsontree.Count(d.meter.counting(partTemplate)).Parse(d.set.PodTemplate); err == nil {
		err = checkPodTemplate(d.template)
	}
	if err == nil {
		err = d.templateMatchesSelector()
	}
	if err != nil {
		d.attention(BlockInvalidTemplate, fmt.Sprintf("spec.template cannot be used: %v.", err), "Correct spec.template.")
		return false
	}
	d.templateRead = true
	return true
}

// readClaimTemplates reads the names of the claim templates. What cannot be read stops everything, since a pod without
// its template's volumes would be worse than none.
func (d *decision) readClaimTemplates() bool {
	if len(d.set.ClaimTemplates) == 0 {
		return true
	}
	d.templates = make([]claimTemplate, len(d.set.ClaimTemplates))
	if len(d.templates) > fewTemplates {
		d.templateNames = make(map[string]bool, len(d.templates))
	}
	count := jsontree.Count(d.meter.counting(partClaimTemplates))
	for i, source := range d.set.ClaimTemplates {
		if err := d.readClaimTemplate(count, i, source); err != nil {
			d.attention(BlockInvalidTemplate, fmt.Sprintf("spec.volumeClaimTemplates[%d] cannot be used: %v.", i, err),
				fmt.Sprintf("Correct spec.volumeClaimTemplates[%d].", i))
			return false
		}
	}
	return true
}

func (d *decision) readClaimTemplate(count jsontree.Count, i int, source []byte) error {
	d.work(partClaimTemplates, 2)
	value, err := count.Lookup(source, "metadata", "name")
	if err != nil {
		return err
	}
	name := value.Text
	if value.Kind != jsontree.String || name == "" {
		return fmt.Errorf("it has no metadata.name")
	}
	if d.isTemplate(name) {
		return fmt.Errorf("the name %q is used twice", short(name))
	}
	if d.templateNames != nil {
		d.templateNames[name] = true
	}
	d.templates[i] = claimTemplate{name: name, prefix: name + "-" + d.set.Name + "-", source: source}
	return nil
}

// templateMatchesSelector makes sure that the set would own the pods it creates; else it would create them for ever.
func (d *decision) templateMatchesSelector() error {
	if d.selector().namesIdentity() {
		return nil // known only when a pod is made
	}
	if !d.selectsTree(d.template.Get("metadata").Get("labels")) {
		return fmt.Errorf("its labels do not match spec.selector")
	}
	return nil
}

// readyToMake tells what the pods of a slot are made of, at the current or the update revision. ok is false, with a block,
// where the current revision's data cannot be used.
func (d *decision) readyToMake(atCurrent bool) (m *manifest, revision string, ok bool) {
	choice, which := d.update, 1
	if atCurrent && d.current.name != d.update.name {
		choice, which = d.current, 0
	}
	if choice.lost {
		if !d.lostSaid {
			d.lostSaid = true
			d.blockLost()
		}
		return nil, "", false
	}
	made := &d.pods[which]
	if made.manifest == nil && !made.unusable {
		if template, ok := d.templateAt(choice); ok {
			made.manifest = d.podManifest(template, choice.name)
		} else {
			made.unusable = true
		}
	}
	return made.manifest, choice.name, !made.unusable
}

// templateAt is the template of a revision; a block says why there is none.
func (d *decision) templateAt(choice revisionChoice) (template jsontree.Value, ok bool) {
	if choice.data == nil {
		ok = d.readTemplate()
		return d.template, ok
	}
	if template, ok = templateOf(d.meter.counting(partRevisionData), choice.data); ok && checkPodTemplate(template) == nil {
		return template, true
	}
	d.block(Block{Code: BlockInvalidRevision, Severity: Attention, Kind: KindRevision, Name: choice.name,
		Message: "Pods below the partition are made from this revision, and its data holds no usable template.",
		Remedy:  "Set the partition to 0, so that these pods get the update revision."})
	return jsontree.Value{}, false
}

func (d *decision) newClaim(t *claimTemplate, ordinal int32) []byte {
	if t.made == nil {
		tree, _ := jsontree.Count(d.meter.counting(partClaimTemplates)).Parse(t.source) // its name was found in it, so it is JSON
		t.made = d.claimManifest(t, tree)
	}
	return t.made.with(ordinal)
}
