package claimtemplate

import (
	"bytes"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/setplan/setplan/engine/jsontree"
	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/plan"
	"github.com/setplan/setplan/engine/state"
)

// Manifest is a JSON document in which one thing varies: the ordinal. It is written once and cut at the places where
// the ordinal stands, so that the document of one more pod costs a single copy.
type Manifest struct {
	Pieces [][]byte
}

func newManifest(doc jsontree.Value) Manifest {
	text, cuts := jsontree.AppendCut(nil, doc)
	pieces := make([][]byte, 0, len(cuts)+1)
	from := 0
	for _, at := range cuts {
		pieces = append(pieces, text[from:at])
		from = at
	}
	return Manifest{Pieces: append(pieces, text[from:])}
}

// With returns the document for one ordinal.
func (m *Manifest) With(ordinal int32) []byte {
	var digits [10]byte
	return bytes.Join(m.Pieces, strconv.AppendInt(digits[:0], int64(ordinal), 10))
}

// maxNamePrefix is the longest set name that still gets a dash in generateName.
const maxNamePrefix = 252

// PodManifest is the pod that upstream builds from a template (newVersionedStatefulSetPod): the template's metadata
// with the identity labels, its spec with hostname, subdomain and one volume for each claim.
func (mk *Maker) PodManifest(template jsontree.Value, revision string) Manifest {
	str := jsontree.NewString
	name := jsontree.NewCut(mk.View.Set.Name + "-")
	generateName := mk.View.Set.Name + "-"
	if len(mk.View.Set.Name) > maxNamePrefix {
		generateName = mk.View.Set.Name
	}

	meta := template.Get("metadata")
	labels := jsontree.WithAll(meta.Get("labels"), jsontree.NewObject(jsontree.Member{Key: model.LabelPodName, Value: name},
		jsontree.Member{Key: model.LabelPodIndex, Value: jsontree.NewCut("")}, jsontree.Member{Key: model.LabelRevision, Value: str(revision)}))
	metadata := jsontree.NewObject(
		jsontree.Member{Key: "generateName", Value: str(generateName)},
		jsontree.Member{Key: "labels", Value: labels},
		jsontree.Member{Key: "name", Value: name},
		jsontree.Member{Key: "namespace", Value: str(mk.View.Set.Namespace)},
		jsontree.Member{Key: "ownerReferences", Value: mk.View.OwnerReferences()},
	)
	for _, key := range []string{"annotations", "finalizers"} {
		if v := meta.Get(key); v.Kind != jsontree.Null {
			metadata = metadata.With(key, v)
		}
	}

	spec := template.Get("spec")
	own := jsontree.NewObject(jsontree.Member{Key: "hostname", Value: name})
	if mk.View.Set.ServiceName != "" {
		own = own.With("subdomain", str(mk.View.Set.ServiceName))
	}
	if volumes := mk.View.Volumes(spec.Get("volumes"), name, mk.View.RemovedAt(revision)); len(volumes) > 0 {
		own = own.With("volumes", jsontree.NewArray(volumes...))
	}
	spec = jsontree.WithAll(spec, own, "subdomain", "volumes")
	return newManifest(jsontree.NewObject(
		jsontree.Member{Key: "apiVersion", Value: str("v1")},
		jsontree.Member{Key: "kind", Value: str(model.KindPod)},
		jsontree.Member{Key: "metadata", Value: metadata},
		jsontree.Member{Key: "spec", Value: spec},
	))
}

// Volumes puts the claims' volumes first, in the order of the claim templates, and drops template volumes of the same
// names (updateStorage upstream). Without says which claim templates the pod does not have.
func (v *Known) Volumes(of, podName jsontree.Value, without RemovedTemplates) []jsontree.Value {
	volumes := make([]jsontree.Value, 0, len(v.Templates)+len(of.Items()))
	claimed := make(map[string]bool, len(v.Templates))
	for i, t := range v.Templates {
		if without.Has(i) {
			continue
		}
		claimed[t.Name] = true
		claim := podName
		claim.Text = t.Name + "-" + podName.Text
		volumes = append(volumes, jsontree.NewObject(
			jsontree.Member{Key: "name", Value: jsontree.NewString(t.Name)},
			jsontree.Member{Key: "persistentVolumeClaim", Value: jsontree.NewObject(
				jsontree.Member{Key: "claimName", Value: claim})},
		))
	}
	for _, volume := range of.Items() {
		if !claimed[volume.Get("name").Text] {
			volumes = append(volumes, volume)
		}
	}
	return volumes
}

// claimManifest is the claim of a template (getPersistentVolumeClaims upstream): its labels are the template's, and
// over them the selector's.
func (mk *Maker) claimManifest(template int, tree jsontree.Value) Manifest {
	t := &mk.View.Templates[template]
	metadata := tree.Get("metadata")
	labels := metadata.Get("labels")
	if len(mk.View.Set.Selector.MatchLabels) > 0 {
		if mk.matchLabels.Kind == jsontree.Null {
			mk.matchLabels = mk.View.ObjectOf(mk.View.Set.Selector.MatchLabels)
		}
		labels = jsontree.WithAll(labels, mk.matchLabels)
	}
	own := jsontree.NewObject(jsontree.Member{Key: "name", Value: jsontree.NewCut(t.Name + "-" + mk.View.Set.Name + "-")},
		jsontree.Member{Key: "namespace", Value: jsontree.NewString(mk.View.Set.Namespace)})
	if !labels.IsEmpty() {
		own = own.With("labels", labels)
	}
	if notes := mk.View.ClaimNotes(template); len(notes) > 0 {
		own = own.With("annotations", jsontree.WithAll(metadata.Get("annotations"), jsontree.NewObject(notes...)))
	}
	return newManifest(jsontree.WithAll(tree, jsontree.NewObject(
		jsontree.Member{Key: "apiVersion", Value: jsontree.NewString("v1")},
		jsontree.Member{Key: "kind", Value: jsontree.NewString(model.KindClaim)},
		jsontree.Member{Key: "metadata", Value: jsontree.WithAll(metadata, own, "creationTimestamp")})))
}

// ClaimNotes are what later plans have to know of a claim.
func (v *Known) ClaimNotes(template int) (notes []jsontree.Member) {
	if mark := v.ClaimMark(); mark != "" {
		notes = append(notes, jsontree.Member{Key: state.AnnotationDrainSet, Value: jsontree.NewString(mark)})
	}
	if v.Wants == nil {
		return notes
	}
	want := &v.Wants[template]
	if want.Metadata != "" {
		notes = append(notes, jsontree.Member{Key: AnnotationClaimMetadata, Value: jsontree.NewString(want.Metadata)})
	}
	if v.ClaimPolicy.Follows && want.Request != "" {
		notes = append(notes, jsontree.Member{Key: AnnotationClaimRequest, Value: jsontree.NewString(want.Request)})
	}
	return notes
}

// OwnerReferences is the set as the controller of what it makes.
func (v *Known) OwnerReferences() jsontree.Value {
	owner := v.Owner()
	yes := jsontree.Value{Kind: jsontree.Bool, Text: "true"}
	return jsontree.NewArray(jsontree.NewObject(
		jsontree.Member{Key: "apiVersion", Value: jsontree.NewString(owner.APIVersion)},
		jsontree.Member{Key: "blockOwnerDeletion", Value: yes},
		jsontree.Member{Key: "controller", Value: yes},
		jsontree.Member{Key: "kind", Value: jsontree.NewString(owner.Kind)},
		jsontree.Member{Key: "name", Value: jsontree.NewString(owner.Name)},
		jsontree.Member{Key: "uid", Value: jsontree.NewString(owner.UID)},
	))
}

// ObjectOf makes an object of strings; the writer sorts its keys.
func (v *Known) ObjectOf(m map[string]string) jsontree.Value {
	keys := slices.AppendSeq(make([]string, 0, len(m)), maps.Keys(m))
	plan.Sort(keys, strings.Compare) // so that what is done with it is the same work each time
	members := make([]jsontree.Member, 0, len(keys))
	for _, key := range keys {
		members = append(members, jsontree.Member{Key: key, Value: jsontree.NewString(m[key])})
	}
	return jsontree.NewObject(members...)
}
