package claimtemplate

import (
	"slices"
	"strings"

	"github.com/setplan/setplan/engine/jsontree"
	"github.com/setplan/setplan/engine/policy"
	"github.com/setplan/setplan/engine/quantity"
	"github.com/setplan/setplan/engine/state"
)

// The annotation setplan.io/claim-templates is an object with a member for each template that is patched, by name. It has the shape of the
// template, and may say what Kubernetes lets a bound claim change:
//
//	{"data": {"spec": {"resources": {"requests": {"storage": "20Gi"}}, "volumeAttributesClassName": "fast"},
//	          "metadata": {"labels": {"tier": "gold"}, "annotations": {"backup.example.com/plan": "daily"}}}}
//
// Instead of an object it may have null: the template is removed; see removals.go. A name that no template has is that of a whole one, which the
// set adds; see additions.go.

// parsePatches reads and checks the patches. The snapshot has them as JSON if the annotation has YAML.
func (v *Known) parsePatches(text string) (patches jsontree.Value, err error) {
	if text == "" {
		return jsontree.Value{}, nil
	}
	source := []byte(text)
	if document := v.Snap.Documents[policy.ClaimTemplates]; document.Problem != "" {
		return patches, errDocument(document.Problem)
	} else if document.JSON != nil {
		source = document.JSON
	}
	if patches, err = jsontree.Parse(source); err != nil {
		return patches, err
	}
	if patches.Kind != jsontree.Object {
		return patches, state.ErrNoObject
	}
	added := 0
	for _, m := range patches.Members() {
		i, known := v.TemplateNamed(m.Key)
		switch {
		case m.Value.Kind == jsontree.Null && (!known || i >= v.OwnTemplates()):
			// Of one that was added, too: nobody could tell it from a wrong name once no revision has it.
			return patches, errNoSuchTemplate(m.Key)
		case m.Value.Kind == jsontree.Null:
			continue // it is removed
		case v.isAdded(m):
			if added++; added > maxAdded {
				return patches, errTooManyAdded
			}
			err = v.checkAdded(m.Key, m.Value)
		default:
			err = v.checkPatch(m.Key, m.Value)
		}
		if err != nil {
			return patches, err
		}
	}
	return patches, nil
}

// isAdded reports whether a member of the annotation is a template that the set adds.
func (v *Known) isAdded(m jsontree.Member) bool {
	i, known := v.TemplateNamed(m.Key)
	return m.Value.Kind != jsontree.Null && (!known || i >= v.OwnTemplates())
}

// form is the members that the objects of a patch may have, by path; nil: any.
type form map[string][]string

var patchable = form{
	"":                         {"metadata", "spec"},
	".metadata":                {"annotations", "labels"},
	".metadata.annotations":    nil,
	".metadata.labels":         nil,
	".spec":                    {"resources", "volumeAttributesClassName"},
	".spec.resources":          {"requests"},
	".spec.resources.requests": {"storage"},
}

// addable is what a template may have that a set adds: what a claim template may have, but for its name, for limits, and for the name of a volume, which is
// for one pod.
var addable = form{
	"":                         {"metadata", "spec"},
	".metadata":                {"annotations", "labels"},
	".metadata.annotations":    nil,
	".metadata.labels":         nil,
	".spec":                    {"accessModes", "dataSource", "dataSourceRef", "resources", "selector", "storageClassName", "volumeAttributesClassName", "volumeMode"},
	".spec.resources":          {"requests"},
	".spec.resources.requests": {"storage"},
}

func (v *Known) checkPatch(template string, patch jsontree.Value) error {
	if err := v.checkMembers(patchable, errNotPatchable, template, "", patch); err != nil {
		return err
	}
	return v.checkValues(template, patch)
}

// The values that the API server takes.
var (
	accessModes = []string{"ReadWriteOnce", "ReadOnlyMany", "ReadWriteMany", "ReadWriteOncePod"}
	volumeModes = []string{"Filesystem", "Block"}
)

// checkAdded refuses a template of which the API server would make no claim, as far as that is known without it.
func (v *Known) checkAdded(name string, tree jsontree.Value) error {
	const ordinal = "-2147483647"
	if !state.IsDNSLabel(name) || len(name)+len("-")+len(v.Set.Name)+len(ordinal) > longestName {
		return errNoVolumeName(name)
	}
	if err := v.checkMembers(addable, errNotAddable, name, "", tree); err != nil {
		return err
	}
	spec := tree.Get("spec")
	modes := spec.Get("accessModes")
	if len(modes.Items()) == 0 {
		return errIncomplete(name, "spec.accessModes")
	}
	for _, mode := range modes.Items() {
		if !slices.Contains(accessModes, mode.Text) {
			return errNotAddable(name, "spec.accessModes")
		}
	}
	if storageOf(tree).Kind == jsontree.Null {
		return errIncomplete(name, "spec.resources.requests.storage")
	}
	if mode := spec.Get("volumeMode"); mode.Kind != jsontree.Null && !slices.Contains(volumeModes, mode.Text) {
		return errNotAddable(name, "spec.volumeMode")
	}
	if class := spec.Get("storageClassName"); class.Kind != jsontree.Null && class.Kind != jsontree.String {
		return errNoText(name, "spec.storageClassName")
	}
	for _, object := range [...]string{"dataSource", "dataSourceRef", "selector"} {
		if value := spec.Get(object); value.Kind != jsontree.Null && value.Kind != jsontree.Object {
			return errNoObjectAt(name, "spec."+object)
		} else if most := mostInside; !isWithin(value, deepestInside, &most) {
			return errTooBig(name, "spec."+object)
		}
	}
	return v.checkValues(name, tree)
}

// What is stored in a revision and in claims is read again and checked, and no reader takes any depth or size. No source and no selector is nearly as big
// as this.
const (
	deepestInside = 20
	mostInside    = 1000 // values
)

// isWithin reports whether a value is nested no deeper than allowed, and has no more values inside than are left of most.
func isWithin(value jsontree.Value, deepest int, most *int) bool {
	if *most--; *most < 0 || deepest == 0 {
		return false
	}
	for _, item := range value.Items() {
		if !isWithin(item, deepest-1, most) {
			return false
		}
	}
	for _, m := range value.Members() {
		if !isWithin(m.Value, deepest-1, most) {
			return false
		}
	}
	return true
}

// checkValues checks what a patch and a whole template have in common.
func (v *Known) checkValues(template string, patch jsontree.Value) error {
	spec, metadata := patch.Get("spec"), patch.Get("metadata")
	if storage := storageOf(patch); storage.Kind != jsontree.Null {
		// Not a number: languages write what YAML calls 20e9 in several ways, and each adapter compares what it reads with what the plan asks for.
		if amount, ok := quantity.Parse(storage.Text); storage.Kind != jsontree.String || !ok || amount.IsZero() {
			return errNoQuantity(template, storage.Text)
		}
	}
	if class := spec.Get("volumeAttributesClassName"); class.Kind != jsontree.Null && (class.Kind != jsontree.String || class.Text == "") {
		return errNoText(template, "spec.volumeAttributesClassName")
	} else if len(class.Text) > longestName {
		return errLongClass(template, class.Text)
	}
	for _, list := range [...]string{"labels", "annotations"} {
		for _, m := range metadata.Get(list).Members() {
			if err := v.checkEntry(template, list, m); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkEntry checks a label or an annotation that claims are to get. Those of the selector every claim has from the set.
func (v *Known) checkEntry(template, list string, m jsontree.Member) error {
	_, selects := v.Set.Selector.MatchLabels[m.Key]
	switch {
	case m.Value.Kind != jsontree.String:
		return errNoText(template, "metadata."+list+"."+m.Key)
	case strings.HasPrefix(m.Key, policy.Prefix) || list == "labels" && selects || list == "annotations" && ofVolumes(m.Key):
		return errNotPatchable(template, "metadata."+list+"."+m.Key)
	case !isKey(m.Key) || list == "labels" && m.Value.Text != "" && !isName(m.Value.Text):
		return errNotLabel(template, "metadata."+list+"."+m.Key)
	}
	return nil
}

// ofVolumes reports whether an annotation is one by which the volume controllers of Kubernetes bind and provision. It says nothing that a bound claim follows,
// and the API server refuses some of them on one (1.36.3, pkg/apis/core/validation, ValidateImmutableAnnotation).
func ofVolumes(annotation string) bool {
	domain, _, _ := strings.Cut(annotation, "/")
	return domain == "pv.kubernetes.io" || domain == "volume.kubernetes.io" || domain == "volume.beta.kubernetes.io"
}

// longestName is that of an object, and of the prefix of a key.
const longestName = 253

// isKey reports whether an object can have a label or an annotation of this key (validation.IsQualifiedName of apimachinery).
func isKey(key string) bool {
	prefix, name, prefixed := strings.Cut(key, "/")
	if !prefixed {
		return isName(key)
	}
	return isName(name) && len(prefix) <= longestName && strings.ToLower(prefix) == prefix && !strings.Contains(prefix, "_") &&
		!slices.ContainsFunc(strings.Split(prefix, "."), func(part string) bool { return !isName(part) })
}

// isName reports whether a text can be the name in such a key, or the value of a label that has one.
func isName(text string) bool {
	const longest = 63
	alphanumeric := func(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' }
	return text != "" && len(text) <= longest && alphanumeric(text[0]) && alphanumeric(text[len(text)-1]) &&
		!slices.ContainsFunc([]byte(text), func(c byte) bool { return !alphanumeric(c) && c != '-' && c != '_' && c != '.' })
}

// checkMembers refuses null, too: in a merge patch it would take something away.
func (v *Known) checkMembers(may form, refused func(template, field string) error, template, path string, of jsontree.Value) error {
	known, listed := may[path]
	if !listed {
		return nil
	}
	if of.Kind != jsontree.Object {
		return errNoObjectAt(template, path)
	}
	for _, m := range of.Members() {
		at := path + "." + m.Key
		if m.Value.Kind == jsontree.Null {
			return refused(template, at[1:])
		}
		if known != nil && !slices.Contains(known, m.Key) {
			return refused(template, at[1:])
		}
		if err := v.checkMembers(may, refused, template, at, m.Value); err != nil {
			return err
		}
	}
	return nil
}

// storageOf is the amount of storage in a claim template, or in a patch of one.
func storageOf(tree jsontree.Value) jsontree.Value {
	return tree.Get("spec").Get("resources").Get("requests").Get("storage")
}

// patchedTemplate is a template with a patch that was checked.
func patchedTemplate(tree, patch jsontree.Value) jsontree.Value {
	spec, metadata := tree.Get("spec"), tree.Get("metadata")
	resources := spec.Get("resources")
	if storage := storageOf(patch); storage.Kind != jsontree.Null {
		requests := resources.Get("requests").With("storage", storage)
		spec = spec.With("resources", resources.With("requests", requests))
	}
	if class := patch.Get("spec").Get("volumeAttributesClassName"); class.Kind != jsontree.Null {
		spec = spec.With("volumeAttributesClassName", class)
	}
	for _, list := range [...]string{"labels", "annotations"} {
		if by := patch.Get("metadata").Get(list); !by.IsEmpty() {
			metadata = metadata.With(list, jsontree.WithAll(metadata.Get(list), by))
		}
	}
	if spec.Kind != jsontree.Null {
		tree = tree.With("spec", spec)
	}
	return tree.With("metadata", metadata)
}
