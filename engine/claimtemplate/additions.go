package claimtemplate

import (
	"bytes"
	"slices"
	"strings"

	"github.com/setplan/setplan/engine/jsontree"
	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/plan"
	"github.com/setplan/setplan/engine/podtemplate"
	"github.com/setplan/setplan/engine/policy"
	"github.com/setplan/setplan/engine/state"
)

// A set adds claim templates by the same annotation: a member that is none of spec.volumeClaimTemplates is a whole template. Pods have it whose
// pod template asks for it by a volume, and so the edit of the pod template is what makes the revision and brings it to the pods. The revision keeps what
// it said then: a pod of it can be made although the annotation has the template no more. What the annotation says goes first, for pods of every
// revision, because a claim's size, class and labels are no part of one.

// maxAdded is how many claim templates a set may add; the older revisions of one that has changed them more often are not asked any more.
const maxAdded = 100

// mostSaid is how many bytes of revisions that say something of claim templates a pass reads: of those that pods are at, and of the others. Beyond it
// nothing is done for the set, because nobody would know which claims its pods have; of the others the older ones are not asked.
const mostSaid = 3 << 20

// addedTemplate is a claim template that a set adds.
type addedTemplate struct {
	name  string
	tree  jsontree.Value
	asked bool // by the annotation, and not only by a revision
}

// saidOf is what a revision says of a claim template: an object, or null. The trees are not kept: they take many times the bytes of their text.
type saidOf struct {
	Name string
	Kind jsontree.Kind
}

// ReadAdditions reads what revisions say of claim templates. It returns false if the adapter does not show the claims of those that they add: then
// nobody knows which ones are there.
func ReadAdditions(v *Known, out *state.Draft) bool {
	if !v.Snap.Policy.WholeSet() || !slices.ContainsFunc(v.Revisions, func(r *model.Revision) bool { return SaysOfClaims(r.Data) }) {
		return true
	}
	var list []addedTemplate
	known, inUse := map[string]bool{}, v.revisionsInUse()
	left := map[bool]int{true: mostSaid, false: mostSaid} // of revisions in use, and of others
	for i := len(v.Revisions) - 1; i >= 0; i-- {          // of two that say something else of a template, the newest one knows better
		r := v.Revisions[i]
		if !SaysOfClaims(r.Data) {
			continue
		}
		if out.Ends() {
			return false
		}
		used := inUse[r.Name]
		if !used && (state.ControllerOf(r.Owners) == nil || !out.Can(model.CanAddClaimTemplates)) {
			continue // anybody may have made it, and no pod has what it adds
		}
		if left[used] -= len(r.Data); left[used] < 0 {
			if used {
				out.Block(blockTooMuchSaid(r.Name))
				return false
			}
			continue
		}
		said, err := jsontree.Lookup(r.Data, policy.ClaimTemplates)
		if err != nil || len(said.Members()) == 0 {
			continue
		}
		if v.Said == nil {
			v.Said = make(map[string][]saidOf, len(v.Revisions))
		}
		says := make([]saidOf, 0, len(said.Members()))
		for _, m := range said.Members() {
			says = append(says, saidOf{m.Key, m.Value.Kind})
			if _, own := v.TemplateNamed(m.Key); own || known[m.Key] || len(list) == maxAdded || m.Value.Kind != jsontree.Object || v.checkAdded(m.Key, m.Value) != nil {
				continue
			}
			known[m.Key] = true
			list = append(list, addedTemplate{name: m.Key, tree: m.Value})
		}
		v.Said[r.Name] = says
	}
	if len(list) == 0 {
		return true
	}
	if !showsAdded(out, v) {
		return false
	}
	if !v.Snap.Coverage.Claims {
		out.Block(BlockCoverageIncomplete(v.Set, []string{"claims"}))
		return false
	}
	v.addTemplates(list)
	return true
}

// SaysOfClaims reports, without reading it, whether the data of a revision may say something of claim templates.
func SaysOfClaims(data []byte) bool {
	return !podtemplate.IsPlain(data) && bytes.Contains(data, []byte(`claim-templates"`))
}

// revisionsInUse are those that the status names, and those of pods that are the set's or could be adopted.
func (v *Known) revisionsInUse() map[string]bool {
	inUse := map[string]bool{v.Set.Status.CurrentRevision: true, v.Set.Status.UpdateRevision: true}
	for i := range v.Snap.Pods {
		p := &v.Snap.Pods[i]
		parent, _, _, ok := model.ParseMember(p.Name)
		if c := state.ControllerOf(p.Owners); ok && parent == v.Set.Name && (c == nil || c.UID == v.Set.UID) && v.SelectsPod(p) {
			inUse[p.Revision] = true
		}
	}
	return inUse
}

// showsAdded reports whether the adapter shows the claims of added templates; a block says that it does not.
func showsAdded(out *state.Draft, v *Known) bool {
	if !out.Can(model.CanAddClaimTemplates) {
		out.Block(blockAddedNotShown(v.Set))
		return false
	}
	return true
}

// addTemplates puts added templates, in the order of their names, after the set's own.
func (v *Known) addTemplates(list []addedTemplate) {
	plan.Sort(list, func(a, b addedTemplate) int { return strings.Compare(a.name, b.name) })
	own := v.OwnTemplates()
	templates := make([]claimTemplate, own, own+len(list))
	copy(templates, v.Templates)
	for _, t := range list {
		templates = append(templates, claimTemplate{Name: t.name, Source: jsontree.Append(nil, t.tree)})
	}
	v.Templates, v.named = templates, nil
}

// additions lists the claim templates that an annotation adds, and those that only revisions have.
func (v *Known) additions(patches jsontree.Value) (list []addedTemplate) {
	asked := map[string]bool{}
	for _, m := range patches.Members() {
		if v.isAdded(m) {
			asked[m.Key] = true
			list = append(list, addedTemplate{m.Key, m.Value, true})
		}
	}
	for _, t := range v.Templates[v.OwnTemplates():] {
		if !asked[t.Name] {
			tree, _ := jsontree.Parse(t.Source) // it was written here
			list = append(list, addedTemplate{t.Name, tree, false})
		}
	}
	return list
}

// unlessUnasked leaves out what only the annotation has, and neither the pod template asks for nor a revision has: no pod has such claims or gets them,
// and those that are called like that are somebody else's.
func (v *Known) unlessUnasked(added []addedTemplate) []addedTemplate {
	isNew := func(t addedTemplate) bool {
		_, stored := v.TemplateNamed(t.name)
		return !stored
	}
	if !slices.ContainsFunc(added, isNew) {
		return added
	}
	template, _ := jsontree.Parse(v.Set.PodTemplate) // one that cannot be read asks for nothing, and is told of elsewhere
	asked := v.askedIn(template.Get("spec"))
	return slices.DeleteFunc(added, func(t addedTemplate) bool { return isNew(t) && !asked[t.name] })
}

// askedIn lists the claim templates that a pod asks for beside the set's own: by a volume of the name that is bound to a claim of the same name. The
// API server takes no mount without a volume, and a pod for which nobody replaces that one waits for a claim, and loses no data to another volume.
func (v *Known) askedIn(spec jsontree.Value) map[string]bool {
	asked := map[string]bool{}
	for _, volume := range spec.Get("volumes").Items() {
		name, claim := volume.Get("name").Text, volume.Get("persistentVolumeClaim")
		if claim.Get("claimName").Text == name && claim.Get("readOnly").Text != "true" {
			asked[name] = true
		}
	}
	return asked
}
