package engine

import (
	"slices"

	"github.com/setplan/setplan/engine/jsontree"
)

// claimTemplate is one entry of spec.volumeClaimTemplates, with its patch. Only its name is read; the rest when a claim is made, or where
// claims follow their templates.
type claimTemplate struct {
	name   string
	source []byte
}

// maker makes pods and claims of templates. It reads the pod template when somebody needs it.
type maker struct {
	view *view
	out  *draft
	*made
}

// made is what a maker has read and made.
type made struct {
	template     jsontree.Value // see readTemplate
	templateRead bool
	matchLabels  jsontree.Value // as an object; null until it is needed
	lostSaid     bool           // a block says that the current revision is lost
	claims       []manifest     // by template; made when first needed
	pods         [2]madeOf      // at the current and the update revision; made when first needed
}

// madeOf is what the pods of a revision are made of.
type madeOf struct {
	manifest manifest
	unusable bool
}

// refused reports whether the API server has refused the templates. It was asked for what nobody has filled in, so that what stands in
// them gives neither the pods nor the revision of apps/v1. A set that is deleted needs neither.
func refused(v *view, out *draft) bool {
	if v.set.Refusal == "" || v.deleting() {
		return false
	}
	out.block(blockRefusedTemplate(v.set))
	return true
}

// readTemplate reads the pod template, once. Most plans need nothing of it: a template that stands in the newest revision was checked
// when that revision was made, and is read again only when a pod is made.
func (mk *maker) readTemplate() bool {
	if mk.templateRead {
		return true
	}
	var err error
	if mk.template, err = jsontree.Parse(mk.view.set.PodTemplate); err == nil {
		err = checkPodTemplate(mk.template)
	}
	if err == nil {
		err = mk.templateMatchesSelector()
	}
	if err != nil {
		mk.out.block(blockInvalidTemplate(mk.view.set, err))
		return false
	}
	mk.templateRead = true
	return true
}

// readClaimTemplates reads the names of the claim templates. One that cannot be read stops everything: a pod without its volumes would
// be worse than none.
func readClaimTemplates(v *view, out *draft) bool {
	if len(v.set.ClaimTemplates) == 0 {
		return true
	}
	v.templates = make([]claimTemplate, 0, len(v.set.ClaimTemplates))
	for i, source := range v.set.ClaimTemplates {
		if err := v.readClaimTemplate(source); err != nil {
			out.block(blockInvalidClaimTemplate(v.set, i, err))
			return false
		}
	}
	return true
}

func (v *view) readClaimTemplate(source []byte) error {
	value, err := jsontree.Lookup(source, "metadata", "name")
	if err != nil {
		return err
	}
	name := value.Text
	if value.Kind != jsontree.String || name == "" {
		return errNoName
	}
	if _, known := v.templateNamed(name); known {
		return errNameTwice(name)
	}
	v.templates = append(v.templates, claimTemplate{name: name, source: source})
	return nil
}

// templateMatchesSelector checks that the set would own the pods it creates; otherwise it would create them for ever.
func (mk *maker) templateMatchesSelector() error {
	if mk.view.selectsIdentity() {
		return nil // known only when a pod is made
	}
	if !mk.view.selectsTree(mk.template.Get("metadata").Get("labels")) {
		return errLabelsDoNotMatch
	}
	return nil
}

// readyToMake returns what pods are made of, at the current or the update revision. ok is false, with a block, if the current revision
// is lost or its data cannot be used.
func (mk *maker) readyToMake(atCurrent bool) (m *manifest, revision string, ok bool) {
	choice, which := mk.view.update, 1
	if atCurrent && mk.view.current.name != mk.view.update.name {
		choice, which = mk.view.current, 0
	}
	if choice.lost {
		if !mk.lostSaid {
			mk.lostSaid = true
			mk.out.block(blockRevisionLost(mk.view.set, mk.view.current.name, mk.view.update.name))
		}
		return nil, "", false
	}
	if !mk.view.canBe(choice.name, mk.out) {
		return nil, "", false
	}
	made := &mk.pods[which]
	if made.manifest.pieces == nil && !made.unusable {
		if template, ok := mk.templateAt(choice); ok {
			made.manifest = mk.podManifest(template, choice.name)
		} else {
			made.unusable = true
		}
	}
	return &made.manifest, choice.name, !made.unusable
}

// templateAt is the template of a revision; a block says why there is none.
func (mk *maker) templateAt(choice revisionChoice) (template jsontree.Value, ok bool) {
	if choice.data == nil {
		ok = mk.readTemplate()
		return mk.template, ok
	}
	if template, ok = templateOf(choice.data); ok && checkPodTemplate(template) == nil {
		return template, true
	}
	mk.out.block(blockRevisionUnusable(choice.name))
	return jsontree.Value{}, false
}

func (mk *maker) newClaim(template int, ordinal int32) []byte {
	if mk.claims == nil {
		mk.claims = make([]manifest, len(mk.view.templates))
	}
	if mk.claims[template].pieces == nil {
		t := &mk.view.templates[template]
		tree, _ := jsontree.Parse(t.source) // its name was found in it, so it is JSON
		mk.claims[template] = mk.claimManifest(template, tree)
	}
	return mk.claims[template].with(ordinal)
}

// checkPodTemplate reports why no pod could be made of a template.
func checkPodTemplate(t jsontree.Value) error {
	if t.Kind != jsontree.Object {
		return errNoObject
	}
	if spec := t.Get("spec"); spec.Kind != jsontree.Object {
		return errNoSpec
	}
	metadata := t.Get("metadata")
	if metadata.Kind != jsontree.Object && metadata.Kind != jsontree.Null {
		return errMetadata
	}
	return checkLabels(metadata.Get("labels"))
}

func checkLabels(labels jsontree.Value) error {
	if labels.Kind != jsontree.Object && labels.Kind != jsontree.Null {
		return errLabels
	}
	for _, m := range labels.Members() {
		if m.Value.Kind != jsontree.String {
			return errLabel(m.Key)
		}
	}
	return nil
}

// fewTemplates are found sooner without a map.
const fewTemplates = 8

// templateNamed finds a claim template.
func (v *view) templateNamed(name string) (template int, ok bool) {
	if len(v.templates) <= fewTemplates {
		template = slices.IndexFunc(v.templates, func(t claimTemplate) bool { return t.name == name })
		return template, template >= 0
	}
	if v.named == nil {
		v.named = make(map[string]int, len(v.templates))
	}
	for i := len(v.named); i < len(v.templates); i++ {
		v.named[v.templates[i].name] = i
	}
	template, ok = v.named[name]
	return template, ok
}
