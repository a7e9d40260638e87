package engine

import (
	"slices"
	"strings"

	"github.com/setplan/setplan/engine/jsontree"
)

// The annotation setplan.io/claim-templates is an object with a member for each template that is patched, by name. It has the shape of the
// template, and may say what Kubernetes lets a bound claim change:
//
//	{"data": {"spec": {"resources": {"requests": {"storage": "20Gi"}}, "volumeAttributesClassName": "fast"},
//	          "metadata": {"labels": {"tier": "gold"}, "annotations": {"backup.example.com/plan": "daily"}}}}
//
// Instead of an object it may have null: the template is removed; see claim_removals.go.

// parsePatches reads and checks the patches. The snapshot has them as JSON if the annotation has YAML.
func (v *view) parsePatches(text string) (patches jsontree.Value, err error) {
	if text == "" {
		return jsontree.Value{}, nil
	}
	source := []byte(text)
	if document := v.s.Documents[annotationClaimTemplates]; document.Problem != "" {
		return patches, errDocument(document.Problem)
	} else if document.JSON != nil {
		source = document.JSON
	}
	if patches, err = v.meter.counting(partClaimTemplates).Parse(source); err != nil {
		return patches, err
	}
	if patches.Kind != jsontree.Object {
		return patches, errNoObject
	}
	for _, m := range patches.Members() {
		if _, known := v.templateNamed(m.Key); !known {
			return patches, errNoSuchTemplate(m.Key)
		}
		if m.Value.Kind == jsontree.Null {
			continue // it is removed
		}
		if err := v.checkPatch(m.Key, m.Value); err != nil {
			return patches, err
		}
	}
	return patches, nil
}

// patchable are the members that the objects of a patch may have; nil: any.
var patchable = map[string][]string{
	"":                         {"metadata", "spec"},
	".metadata":                {"annotations", "labels"},
	".metadata.annotations":    nil,
	".metadata.labels":         nil,
	".spec":                    {"resources", "volumeAttributesClassName"},
	".spec.resources":          {"requests"},
	".spec.resources.requests": {"storage"},
}

func (v *view) checkPatch(template string, patch jsontree.Value) error {
	if err := v.checkMembers(template, "", patch); err != nil {
		return err
	}
	spec, metadata := patch.Get("spec"), patch.Get("metadata")
	if storage := storageOf(patch); storage.Kind != jsontree.Null {
		// Not a number: languages write what YAML calls 20e9 in several ways, and each adapter compares what it reads with what the plan asks for.
		if amount, ok := parseQuantity(storage.Text); storage.Kind != jsontree.String || !ok || amount.nanos.Sign() == 0 {
			return errNoQuantity(template, storage.Text)
		}
	}
	if class := spec.Get("volumeAttributesClassName"); class.Kind != jsontree.Null && (class.Kind != jsontree.String || class.Text == "") {
		return errNoText(template, "spec.volumeAttributesClassName")
	}
	for _, list := range [...]string{"labels", "annotations"} {
		for _, m := range metadata.Get(list).Members() {
			v.meter.work(partClaimTemplates, 1)
			_, selects := v.set.Selector.MatchLabels[m.Key]
			switch {
			case m.Value.Kind != jsontree.String:
				return errNoText(template, "metadata."+list+"."+m.Key)
			case strings.HasPrefix(m.Key, annotationPrefix) || list == "labels" && selects:
				return errNotPatchable(template, "metadata."+list+"."+m.Key)
			case !isKey(m.Key) || list == "labels" && m.Value.Text != "" && !isName(m.Value.Text):
				return errNotLabel(template, "metadata."+list+"."+m.Key)
			}
		}
	}
	return nil
}

// isKey reports whether an object can have a label or an annotation of this key (validation.IsQualifiedName of apimachinery).
func isKey(key string) bool {
	prefix, name, prefixed := strings.Cut(key, "/")
	if !prefixed {
		return isName(key)
	}
	const longest = 253
	return isName(name) && len(prefix) <= longest && strings.ToLower(prefix) == prefix && !strings.Contains(prefix, "_") &&
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
func (v *view) checkMembers(template, path string, of jsontree.Value) error {
	known, listed := patchable[path]
	if !listed {
		return nil
	}
	if of.Kind != jsontree.Object {
		return errNoObjectAt(template, path)
	}
	for _, m := range of.Members() {
		v.meter.work(partClaimTemplates, 2)
		at := path + "." + m.Key
		if m.Value.Kind == jsontree.Null {
			return errNotPatchable(template, at[1:])
		}
		if known != nil && !slices.Contains(known, m.Key) {
			return errNotPatchable(template, at[1:])
		}
		if err := v.checkMembers(template, at, m.Value); err != nil {
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
func patchedTemplate(count jsontree.Count, tree, patch jsontree.Value) jsontree.Value {
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
			metadata = metadata.With(list, count.WithAll(metadata.Get(list), by))
		}
	}
	if spec.Kind != jsontree.Null {
		tree = tree.With("spec", spec)
	}
	return tree.With("metadata", metadata)
}
