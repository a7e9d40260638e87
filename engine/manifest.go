package engine

import (
	"bytes"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/setplan/setplan/engine/jsontree"
	"github.com/setplan/setplan/engine/model"
)

// manifest is a JSON document in which one thing varies: the ordinal. It is written once and cut at the places where
// the ordinal stands, so that the document of one more pod costs a single copy.
type manifest struct {
	pieces [][]byte
}

func newManifest(doc jsontree.Value) manifest {
	text, cuts := jsontree.AppendCut(nil, doc)
	pieces := make([][]byte, 0, len(cuts)+1)
	from := 0
	for _, at := range cuts {
		pieces = append(pieces, text[from:at])
		from = at
	}
	return manifest{pieces: append(pieces, text[from:])}
}

// with returns the document for one ordinal.
func (m *manifest) with(ordinal int32) []byte {
	var digits [10]byte
	return bytes.Join(m.pieces, strconv.AppendInt(digits[:0], int64(ordinal), 10))
}

// maxNamePrefix is the longest set name that still gets a dash in generateName.
const maxNamePrefix = 252

// podManifest is the pod that upstream builds from a template (newVersionedStatefulSetPod): the template's metadata
// with the identity labels, its spec with hostname, subdomain and one volume for each claim.
func (mk *maker) podManifest(template jsontree.Value, revision string) manifest {
	str := jsontree.NewString
	name := jsontree.NewCut(mk.view.set.Name + "-")
	generateName := mk.view.set.Name + "-"
	if len(mk.view.set.Name) > maxNamePrefix {
		generateName = mk.view.set.Name
	}

	meta := template.Get("metadata")
	labels := jsontree.WithAll(meta.Get("labels"), jsontree.NewObject(jsontree.Member{Key: model.LabelPodName, Value: name},
		jsontree.Member{Key: model.LabelPodIndex, Value: jsontree.NewCut("")}, jsontree.Member{Key: model.LabelRevision, Value: str(revision)}))
	metadata := jsontree.NewObject(
		jsontree.Member{Key: "generateName", Value: str(generateName)},
		jsontree.Member{Key: "labels", Value: labels},
		jsontree.Member{Key: "name", Value: name},
		jsontree.Member{Key: "namespace", Value: str(mk.view.set.Namespace)},
		jsontree.Member{Key: "ownerReferences", Value: mk.view.ownerReferences()},
	)
	for _, key := range []string{"annotations", "finalizers"} {
		if v := meta.Get(key); v.Kind != jsontree.Null {
			metadata = metadata.With(key, v)
		}
	}

	spec := template.Get("spec")
	own := jsontree.NewObject(jsontree.Member{Key: "hostname", Value: name})
	if mk.view.set.ServiceName != "" {
		own = own.With("subdomain", str(mk.view.set.ServiceName))
	}
	if volumes := mk.view.volumes(spec.Get("volumes"), name, mk.view.removedAt(revision)); len(volumes) > 0 {
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

// volumes puts the claims' volumes first, in the order of the claim templates, and drops template volumes of the same
// names (updateStorage upstream). Without says which claim templates the pod does not have.
func (v *view) volumes(of, podName jsontree.Value, without removedTemplates) []jsontree.Value {
	volumes := make([]jsontree.Value, 0, len(v.templates)+len(of.Items()))
	claimed := make(map[string]bool, len(v.templates))
	for i, t := range v.templates {
		if without.has(i) {
			continue
		}
		claimed[t.name] = true
		claim := podName
		claim.Text = t.name + "-" + podName.Text
		volumes = append(volumes, jsontree.NewObject(
			jsontree.Member{Key: "name", Value: jsontree.NewString(t.name)},
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
func (mk *maker) claimManifest(template int, tree jsontree.Value) manifest {
	t := &mk.view.templates[template]
	metadata := tree.Get("metadata")
	labels := metadata.Get("labels")
	if len(mk.view.set.Selector.MatchLabels) > 0 {
		if mk.matchLabels.Kind == jsontree.Null {
			mk.matchLabels = mk.view.objectOf(mk.view.set.Selector.MatchLabels)
		}
		labels = jsontree.WithAll(labels, mk.matchLabels)
	}
	own := jsontree.NewObject(jsontree.Member{Key: "name", Value: jsontree.NewCut(t.name + "-" + mk.view.set.Name + "-")},
		jsontree.Member{Key: "namespace", Value: jsontree.NewString(mk.view.set.Namespace)})
	if !labels.IsEmpty() {
		own = own.With("labels", labels)
	}
	if notes := mk.view.claimNotes(template); len(notes) > 0 {
		own = own.With("annotations", jsontree.WithAll(metadata.Get("annotations"), jsontree.NewObject(notes...)))
	}
	return newManifest(jsontree.WithAll(tree, jsontree.NewObject(
		jsontree.Member{Key: "apiVersion", Value: jsontree.NewString("v1")},
		jsontree.Member{Key: "kind", Value: jsontree.NewString(model.KindClaim)},
		jsontree.Member{Key: "metadata", Value: jsontree.WithAll(metadata, own, "creationTimestamp")})))
}

// claimNotes are what later plans have to know of a claim.
func (v *view) claimNotes(template int) (notes []jsontree.Member) {
	if mark := v.claimMark(); mark != "" {
		notes = append(notes, jsontree.Member{Key: annotationDrainSet, Value: jsontree.NewString(mark)})
	}
	if v.wants == nil {
		return notes
	}
	want := &v.wants[template]
	if want.metadata != "" {
		notes = append(notes, jsontree.Member{Key: annotationClaimMetadata, Value: jsontree.NewString(want.metadata)})
	}
	if v.claimPolicy.follows && want.request != "" {
		notes = append(notes, jsontree.Member{Key: annotationClaimRequest, Value: jsontree.NewString(want.request)})
	}
	return notes
}

func (v *view) ownerReferences() jsontree.Value {
	owner := v.owner()
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

// objectOf makes an object of strings; the writer sorts its keys.
func (v *view) objectOf(m map[string]string) jsontree.Value {
	keys := slices.AppendSeq(make([]string, 0, len(m)), maps.Keys(m))
	sortList(keys, strings.Compare) // so that what is done with it is the same work each time
	members := make([]jsontree.Member, 0, len(keys))
	for _, key := range keys {
		members = append(members, jsontree.Member{Key: key, Value: jsontree.NewString(m[key])})
	}
	return jsontree.NewObject(members...)
}
