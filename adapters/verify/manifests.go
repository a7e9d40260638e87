package verify

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// The checks of the manifests of creates.

// load reads the manifest of a create, once.
func (s *subject) load() *node {
	if s.manifest == nil && s.broken == nil {
		s.manifest, s.broken = parse(s.bytes(), true)
	}
	return s.manifest
}

func (s *subject) bytes() []byte {
	switch s.operation {
	case createPod:
		return s.action.GetCreatePod().GetManifest()
	case createClaim:
		return s.action.GetCreateClaim().GetManifest()
	default:
		return s.action.GetCreateRevision().GetManifest()
	}
}

func manifestFault(s *subject) string {
	if s.load() == nil {
		return s.broken.Error()
	}
	return ""
}

// fields are those of each kind of manifest; of a claim they are the template's.
var fields = map[string]map[string]bool{
	createPod:      {"apiVersion": true, "kind": true, "metadata": true, "spec": true},
	createRevision: {"apiVersion": true, "kind": true, "metadata": true, "data": true, "revision": true},
}

// objectFault: the manifest is that of the target, in the set's namespace.
func objectFault(s *subject) string {
	version, m := "v1", s.load()
	if s.operation == createRevision {
		version = "apps/v1"
	}
	switch {
	case !m.get("apiVersion").is(version) || !m.get("kind").is(s.action.GetTarget().GetKind()):
		return "the manifest's kind is not the target's"
	case !m.get("metadata", "name").is(s.name()):
		return "the manifest's name is not the target's"
	case !m.get("metadata", "namespace").is(s.set.GetNamespace()):
		return "the manifest's namespace is not the set's"
	}
	return m.only(fields[s.operation])
}

// only reports a field that is none of those; there is none if those are not known.
func (n *node) only(known map[string]bool) string {
	for key := range n.object() {
		if known != nil && !known[key] {
			return fmt.Sprintf("there is the field %s", quote(key))
		}
	}
	return ""
}

// knownMetadata is what the metadata of a pod or a revision may have.
var knownMetadata = map[string]bool{"name": true, "namespace": true, "generateName": true, "labels": true, "annotations": true,
	"finalizers": true, "ownerReferences": true}

// metadataFault: beside labels, annotations and owners, which have their own checks, there are only the template's finalizers.
func metadataFault(s *subject) string {
	metadata, finalizers := s.load().get("metadata"), (*node)(nil)
	if s.operation == createPod {
		finalizers = s.template().get("metadata", "finalizers")
	}
	if !equal(metadata.get("finalizers"), finalizers) {
		return "the finalizers are not the template's"
	}
	return metadata.only(knownMetadata)
}

// ownerFault: the set controls what is created for it. It only owns a drain pod, and not even that while the set is drained for its
// deletion.
func ownerFault(s *subject) string {
	owners := s.load().get("metadata", "ownerReferences")
	if s.isDrain() && s.emptying() && owners == nil {
		return ""
	}
	wanted := map[string]any{"apiVersion": s.set.GetApiVersion(), "kind": s.set.GetKind(), "name": s.set.GetName(), "uid": s.set.GetUid()}
	if !s.isDrain() {
		wanted["controller"], wanted["blockOwnerDeletion"] = true, true
	}
	if !equal(owners, nodeOf([]any{wanted})) {
		return "the only owner is not this set, or it is the controller of a drain pod, or of others it is not"
	}
	return ""
}

// labelsFault: the labels are the template's and those that name the object.
func labelsFault(s *subject) string {
	labels, template := s.load().get("metadata", "labels"), s.template().get("metadata", "labels")
	switch {
	case s.operation == createRevision:
		return added("label", labels, template, map[string]string{labelHash: anything})
	case s.isDrain():
		return s.drainLabelsFault(labels, template)
	}
	identity := s.identityLabels()
	identity[labelRevision] = anything
	return added("label", labels, template, identity)
}

// identityLabels are the labels that name a pod.
func (s *subject) identityLabels() map[string]string {
	return map[string]string{labelPodName: s.name(), labelPodIndex: trailingDigits(s.name())}
}

// drainLabelsFault: a drain pod must not be taken for a replica, so it lacks the labels of the ordinal if the selector would match
// because of them.
func (s *subject) drainLabelsFault(labels, template *node) string {
	if selects(s.set.GetSelector(), labels.label) {
		return "the selector matches its labels, so it would be taken for a replica"
	}
	why := added("label", labels, template, s.identityLabels())
	if why != "" && differing(labels, template, map[string]bool{labelRevision: true}) == "" && labels.get(labelRevision) == nil {
		return ""
	}
	return why
}

// anything stands for a value that other checks cover.
const anything = "\x00"

// added compares a map of strings with the template's and some more.
func added(what string, got, template *node, more map[string]string) string {
	except := make(map[string]bool, len(more))
	for key, value := range more {
		except[key] = true
		if is := got.get(key); is == nil || is.kind != '"' || value != anything && is.text != value {
			return fmt.Sprintf("the %s %s is missing or wrong", what, key)
		}
	}
	if key := differing(got, template, except); key != "" {
		return fmt.Sprintf("the %s %s is not what the template says", what, key)
	}
	return ""
}

// annotationsFault: the annotations are the template's; of a revision they are the set's; a drain pod says what it drains.
func annotationsFault(s *subject) string {
	annotations, template := s.load().get("metadata", "annotations"), s.template().get("metadata", "annotations")
	switch {
	case s.operation == createRevision:
		return added("annotation", annotations, nil, s.set.GetAnnotations())
	case s.isDrain():
		return added("annotation", annotations, template, map[string]string{noteDrainSet: s.mark(), noteDrainClaims: anything})
	}
	return added("annotation", annotations, template, nil)
}

const maxRevisionPrefix = 223

// revisionDataFault: what is stored is the set's own template, in the form of a patch that replaces it, and which claim templates its pods are without.
// A plan makes one revision at most, whose data no revision of the set has.
func revisionDataFault(s *subject) string {
	if s.operation == renumberRevision {
		return s.dataFault(s.document("revision "+s.name(), s.revision.GetData()))
	}
	var made struct{ Data json.RawMessage }
	_ = json.Unmarshal(s.bytes(), &made)
	stored := func(r *setplanv1.Revision) bool { return s.ownRevision(r) && bytes.Equal(r.GetData(), made.Data) }
	switch {
	case s.made != "":
		return "the plan makes a revision already"
	case !canonical(made.Data):
		return "the data is not written as JSON is written here"
	case slices.ContainsFunc(s.snapshot.GetRevisions(), stored):
		return "a revision of the set has the same data"
	}
	return s.dataFault(s.load().get("data"))
}

// canonical reports whether a text is the one by which every planner writes this JSON: without a byte too many, and without another text for the same.
func canonical(text []byte) bool {
	reader := json.NewDecoder(bytes.NewReader(text))
	reader.UseNumber()
	var value any
	_ = reader.Decode(&value)
	written, err := json.Marshal(value)
	read, _ := parse(text, false)
	return err == nil && bytes.Equal(written, text) && read.whole()
}

// whole reports whether all numbers are whole, and written as such: those of a pod's template are, and can have more digits than a float.
func (n *node) whole() bool {
	fraction := func(n *node) bool { return !n.whole() }
	return (n.kind != '0' || aWhole.MatchString(n.text)) && !slices.ContainsFunc(n.items, fraction) && !slices.ContainsFunc(slices.Collect(maps.Values(n.members)), fraction)
}

// dataFault compares data with what the set's template makes.
func (v *Verifier) dataFault(data *node) string {
	template := data.get("spec", "template")
	if key := differing(data, nil, map[string]bool{"spec": true, noteClaimTemplates: true}); key != "" || len(data.get("spec").object()) != 1 || !template.get("$patch").is("replace") {
		return "the data is not a template that replaces the set's"
	}
	if why := v.claimsSaidFault(data); why != "" {
		return why
	}
	if key := differing(template, v.setTemplate(), map[string]bool{"$patch": true}); key != "" {
		return fmt.Sprintf("%s of the data is not what the set's template says", key)
	}
	return ""
}
