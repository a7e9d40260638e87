package claimtemplate

import (
	"slices"

	"github.com/setplan/setplan/engine/jsontree"
	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/podtemplate"
	"github.com/setplan/setplan/engine/state"
)

// claimTemplate is one entry of spec.volumeClaimTemplates, with its patch. Only its name is read; the rest when a claim is made, or where
// claims follow their templates.
type claimTemplate struct {
	Name   string
	Source []byte
}

// Maker makes pods and claims of templates. It reads the pod template when somebody needs it.
type Maker struct {
	View *Known
	Out  *state.Draft
	*Made
}

// Made is what a maker has read and made.
type Made struct {
	Template     jsontree.Value // see ReadTemplate
	templateRead bool
	matchLabels  jsontree.Value // as an object; null until it is needed
	LostSaid     bool           // a block says that the current revision is lost
	claims       []Manifest     // by template; made when first needed
	Pods         [2]madeOf      // at the current and the update revision; made when first needed
}

// madeOf is what the pods of a revision are made of.
type madeOf struct {
	Manifest Manifest
	Unusable bool
}

// Refused reports whether the API server has refused the templates. It was asked for what nobody has filled in, so that what stands in
// them gives neither the pods nor the revision of apps/v1. A set that is deleted needs neither.
func Refused(v *Known, out *state.Draft) bool {
	if v.Set.Refusal == "" || v.Deleting() {
		return false
	}
	out.Block(blockRefusedTemplate(v.Set))
	return true
}

// ReadTemplate reads the pod template, once. Most plans need nothing of it: a template that stands in the newest revision was checked
// when that revision was made, and is read again only when a pod is made.
func (mk *Maker) ReadTemplate() bool {
	if mk.templateRead {
		return true
	}
	var err error
	if mk.Template, err = jsontree.Parse(mk.View.Set.PodTemplate); err == nil {
		err = CheckPodTemplate(mk.Template)
	}
	if err == nil {
		err = mk.templateMatchesSelector()
	}
	if err != nil {
		mk.Out.Block(blockInvalidTemplate(mk.View.Set, err))
		return false
	}
	mk.templateRead = true
	return true
}

// ReadTemplates reads the names of the claim templates. One that cannot be read stops everything: a pod without its volumes would
// be worse than none.
func ReadTemplates(v *Known, out *state.Draft) bool {
	if len(v.Set.ClaimTemplates) == 0 {
		return true
	}
	v.Templates = make([]claimTemplate, 0, len(v.Set.ClaimTemplates))
	for i, source := range v.Set.ClaimTemplates {
		if err := v.readClaimTemplate(source); err != nil {
			out.Block(blockInvalidClaimTemplate(v.Set, i, err))
			return false
		}
	}
	return true
}

func (v *Known) readClaimTemplate(source []byte) error {
	value, err := jsontree.Lookup(source, "metadata", "name")
	if err != nil {
		return err
	}
	name := value.Text
	if value.Kind != jsontree.String || name == "" {
		return errNoName
	}
	if _, known := v.TemplateNamed(name); known {
		return errNameTwice(name)
	}
	v.Templates = append(v.Templates, claimTemplate{Name: name, Source: source})
	return nil
}

// templateMatchesSelector checks that the set would own the pods it creates; otherwise it would create them for ever.
func (mk *Maker) templateMatchesSelector() error {
	if mk.View.SelectsIdentity() {
		return nil // known only when a pod is made
	}
	if !mk.View.SelectsTree(mk.Template.Get("metadata").Get("labels")) {
		return errLabelsDoNotMatch
	}
	return nil
}

// TemplateAt is the template of a revision; a block says why there is none.
func (mk *Maker) TemplateAt(choice state.RevisionChoice) (template jsontree.Value, ok bool) {
	if choice.Data == nil {
		ok = mk.ReadTemplate()
		return mk.Template, ok
	}
	if template, ok = podtemplate.Of(choice.Data); ok && CheckPodTemplate(template) == nil {
		return template, true
	}
	mk.Out.Block(blockRevisionUnusable(choice.Name))
	return jsontree.Value{}, false
}

func (mk *Maker) newClaim(template int, ordinal int32) []byte {
	if mk.claims == nil {
		mk.claims = make([]Manifest, len(mk.View.Templates))
	}
	if mk.claims[template].Pieces == nil {
		t := &mk.View.Templates[template]
		tree, _ := jsontree.Parse(t.Source) // its name was found in it, so it is JSON
		mk.claims[template] = mk.claimManifest(template, tree)
	}
	return mk.claims[template].With(ordinal)
}

// CheckPodTemplate reports why no pod could be made of a template.
func CheckPodTemplate(t jsontree.Value) error {
	if t.Kind != jsontree.Object {
		return state.ErrNoObject
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

// TemplateNamed finds a claim template.
func (v *Known) TemplateNamed(name string) (template int, ok bool) {
	if len(v.Templates) <= fewTemplates {
		template = slices.IndexFunc(v.Templates, func(t claimTemplate) bool { return t.Name == name })
		return template, template >= 0
	}
	if v.named == nil {
		v.named = make(map[string]int, len(v.Templates))
	}
	for i := len(v.named); i < len(v.Templates); i++ {
		v.named[v.Templates[i].Name] = i
	}
	template, ok = v.named[name]
	return template, ok
}

// CreateClaim plans a claim of a template. It returns false if it could not be planned.
func (mk *Maker) CreateClaim(step *model.Step, template int, ordinal int32, why model.Cause) bool {
	t := &mk.View.Templates[template]
	a := model.Action{Kind: model.KindClaim, Name: model.OrdinalName(t.Name+"-"+mk.View.Set.Name, ordinal), MustNotExist: true, Op: model.CreateClaim{}, Cause: why}
	if !mk.Out.Fits(&a) {
		return false
	}
	a.Op = model.CreateClaim{Manifest: mk.newClaim(template, ordinal)}
	return mk.Out.Emit(step, a)
}
