package verify

import (
	"fmt"
	"strconv"
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

// shapes are the apiVersion and the other keys of each kind of manifest.
var shapes = map[string]struct {
	version string
	fields  []string
}{
	createPod:      {"v1", []string{"spec"}},
	createClaim:    {"v1", nil}, // the rest is the template's
	createRevision: {"apps/v1", []string{"data", "revision"}},
}

// objectFault: the manifest is that of the target, in the set's namespace.
func objectFault(s *subject) string {
	shape, m := shapes[s.operation], s.load()
	switch {
	case !m.get("apiVersion").is(shape.version) || !m.get("kind").is(s.action.GetTarget().GetKind()):
		return "the manifest's kind is not the target's"
	case !m.get("metadata", "name").is(s.name()):
		return "the manifest's name is not the target's"
	case !m.get("metadata", "namespace").is(s.set.GetNamespace()):
		return "the manifest's namespace is not the set's"
	}
	if shape.fields == nil {
		return ""
	}
	for key := range m.object() {
		switch key {
		case "apiVersion", "kind", "metadata":
		default:
			if key != shape.fields[0] && key != shape.fields[len(shape.fields)-1] {
				return fmt.Sprintf("the manifest has the field %s", quote(key))
			}
		}
	}
	return ""
}

// knownMetadata is what the metadata of a pod or a revision may have.
var knownMetadata = map[string]bool{"name": true, "namespace": true, "generateName": true, "labels": true, "annotations": true,
	"finalizers": true, "ownerReferences": true}

// metadataFault: beside labels, annotations and owners, which have their own checks, there are only the template's finalizers.
func metadataFault(s *subject) string {
	metadata := s.load().get("metadata")
	for key := range metadata.object() {
		if !knownMetadata[key] {
			return fmt.Sprintf("the metadata has the field %s", quote(key))
		}
	}
	if prefix := metadata.get("generateName"); prefix != nil && !prefix.is(s.set.GetName()+"-") && !prefix.is(s.set.GetName()) {
		return "generateName is not made of the set's name"
	}
	var finalizers *node
	if template := s.template(); s.operation == createPod {
		finalizers = template.get("metadata", "finalizers")
	}
	if !equal(metadata.get("finalizers"), finalizers) {
		return "the finalizers are not the template's"
	}
	return ""
}

// ownerFault: the set controls what is created for it. It only owns a drain pod, and not even that while the set is drained for its
// deletion.
func ownerFault(s *subject) string {
	owners := s.load().get("metadata", "ownerReferences")
	if s.isDrain() && s.emptying() && owners == nil {
		return ""
	}
	if owners == nil || owners.kind != '[' || len(owners.items) != 1 {
		return "the manifest must have exactly one owner"
	}
	wanted := map[string]string{"apiVersion": s.set.GetApiVersion(), "kind": s.set.GetKind(), "name": s.set.GetName(), "uid": s.set.GetUid()}
	for key, value := range owners.items[0].object() {
		switch {
		case wanted[key] != "" && value.is(wanted[key]):
			delete(wanted, key)
		case (key == "controller" || key == "blockOwnerDeletion") && !s.isDrain() && value.kind == 'b' && value.text == "true":
			wanted[key] = ""
		default:
			return fmt.Sprintf("the owner's %s is not what makes it this set", quote(key))
		}
	}
	_, controls := wanted["controller"]
	if delete(wanted, "controller"); !controls && !s.isDrain() {
		return "the set is not the controller"
	}
	if delete(wanted, "blockOwnerDeletion"); len(wanted) > 0 {
		return "the owner is not this set"
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
	return added("label", labels, template, s.identityLabels(labelRevision))
}

// identityLabels are the labels that name a pod. The further ones may have any value here; other checks look at it.
func (s *subject) identityLabels(further ...string) map[string]string {
	labels := map[string]string{labelPodName: s.name(), labelPodIndex: trailingDigits(s.name())}
	for _, label := range further {
		labels[label] = anything
	}
	return labels
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

// label reads a node as a map of labels.
func (n *node) label(key string) (string, bool) {
	value := n.get(key)
	if value == nil || value.kind != '"' {
		return "", false
	}
	return value.text, true
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
	annotations := s.load().get("metadata", "annotations")
	switch {
	case s.operation == createRevision:
		return sameStrings("annotation", annotations, s.set.GetAnnotations())
	case s.isDrain():
		return added("annotation", annotations, s.template().get("metadata", "annotations"),
			map[string]string{noteDrainSet: s.mark(), noteDrainClaims: anything})
	}
	return added("annotation", annotations, s.template().get("metadata", "annotations"), nil)
}

func sameStrings(what string, got *node, want map[string]string) string {
	for key, value := range got.object() {
		if wanted, ok := want[key]; !ok || !value.is(wanted) {
			return fmt.Sprintf("the %s %s is not the set's", what, quote(key))
		}
	}
	if len(got.object()) != len(want) {
		return "an " + what + " of the set is missing"
	}
	return ""
}

// integer reads a whole number, 0 where there is none.
func (n *node) integer(key string) int64 {
	value := n.get(key)
	if value == nil || value.kind != '0' {
		return 0
	}
	number, _ := strconv.ParseInt(value.text, 10, 64)
	return number
}

// claimManifestFault: a claim is its template's, with its name, the selector's labels, and the mark of a drain policy.
func claimManifestFault(s *subject) string {
	why := "no claim template has this name"
	for i, template := range s.claimTemplates() {
		if _, ok := ordinalOf(s.name(), template+"-"+s.set.GetName()); ok {
			if why = s.claimDiffers(s.claimTemplate(i)); why == "" {
				return ""
			}
			if with := s.patched(i); s.claimDiffers(with) == "" {
				return ""
			}
		}
	}
	return why
}

func (s *subject) claimDiffers(template *node) string {
	m := s.load()
	if key := differing(m, template, map[string]bool{"apiVersion": true, "kind": true, "metadata": true}); key != "" {
		return fmt.Sprintf("%s is not what the claim template says", key)
	}
	metadata, of := m.get("metadata"), template.get("metadata")
	if key := differing(metadata, of, map[string]bool{"name": true, "namespace": true, "labels": true, "annotations": true, "creationTimestamp": true}); key != "" {
		return fmt.Sprintf("metadata %s is not what the claim template says", key)
	}
	if why := added("label", metadata.get("labels"), of.get("labels"), s.set.GetSelector().GetMatchLabels()); why != "" {
		return why
	}
	notes := map[string]string{}
	if s.draining() && metadata.get("annotations", noteDrainSet) != nil {
		notes[noteDrainSet] = s.mark()
	}
	if metadata.get("annotations", noteClaimRequest) != nil {
		notes[noteClaimRequest] = requestOf(template)
	}
	if digest := metadata.get("annotations", noteClaimMetadata); digest != nil {
		if notes[noteClaimMetadata] = anything; !aDigest.MatchString(digest.text) {
			return "the digest of its labels and annotations has another form"
		}
	}
	return added("annotation", metadata.get("annotations"), of.get("annotations"), notes)
}

// revisionNameFault: a revision has the set's name and a hash, so that it never takes the name of a neighbour's.
func revisionNameFault(s *subject) string {
	if !s.hashed(s.name()) {
		return "the name is not the set's with a hash"
	}
	return ""
}

const maxRevisionPrefix = 223

// revisionDataFault: what is stored is the set's own template, in the form of a patch that replaces it, and which claim templates its pods are without.
func revisionDataFault(s *subject) string {
	var data *node
	if s.operation == createRevision {
		data = s.load().get("data")
	} else {
		data, _ = parse(s.revision.GetData(), false)
	}
	return s.dataFault(data, s.operation == createRevision)
}

// dataFault compares data with what the set's template makes; adds: with what it says of claim templates that are added, too.
func (v *Verifier) dataFault(data *node, adds bool) string {
	template := data.get("spec", "template")
	if key := differing(data, nil, map[string]bool{"spec": true, noteClaimTemplates: true}); key != "" || len(data.get("spec").object()) != 1 || !template.get("$patch").is("replace") {
		return "the data is not a template that replaces the set's"
	}
	if why := v.removalsFault(data, adds); why != "" {
		return why
	}
	if key := differing(template, v.setTemplate(), map[string]bool{"$patch": true}); key != "" {
		return fmt.Sprintf("%s of the data is not what the set's template says", key)
	}
	return ""
}
