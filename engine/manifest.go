package engine

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"github.com/setplan/setplan/engine/jsontree"
)

// manifest is a JSON document in which one thing varies: the ordinal. It is written once and cut at the places where
// the ordinal stands, so that the document of one more pod costs a single copy.
type manifest struct {
	pieces [][]byte
}

// mark stands for the ordinal while a manifest is written: a character that JSON does not escape, repeated until it
// occurs nowhere else.
func (d *decision) mark(texts ...[]byte) string {
	m := "\x7f"
	for _, text := range append(texts, d.set.PodTemplate, d.current.data, []byte(d.set.Name), []byte(d.current.name)) {
		for bytes.Contains(text, []byte(m)) {
			m += "\x7f"
		}
	}
	return m
}

func newManifest(doc jsontree.Value, mark string) manifest {
	return manifest{pieces: bytes.Split(jsontree.Append(nil, doc), []byte(mark))}
}

// with returns the document for one ordinal.
func (m manifest) with(ordinal int32) []byte {
	return bytes.Join(m.pieces, strconv.AppendInt(nil, int64(ordinal), 10))
}

// maxNamePrefix is the longest set name that still gets a dash in generateName.
const maxNamePrefix = 252

// podManifest is the pod that upstream builds from a template (newVersionedStatefulSetPod): the template's metadata
// with the identity labels, its spec with hostname, subdomain and one volume for each claim.
func (d *decision) podManifest(template jsontree.Value, revision string) manifest {
	m := d.mark()
	name := d.set.Name + "-" + m
	str := jsontree.NewString
	generateName := d.set.Name + "-"
	if len(d.set.Name) > maxNamePrefix {
		generateName = d.set.Name
	}

	meta := template.Get("metadata")
	labels := meta.Get("labels").With(labelPodName, str(name)).With(labelPodIndex, str(m)).With(labelRevision, str(revision))
	metadata := jsontree.NewObject(
		jsontree.Member{Key: "generateName", Value: str(generateName)},
		jsontree.Member{Key: "labels", Value: labels},
		jsontree.Member{Key: "name", Value: str(name)},
		jsontree.Member{Key: "namespace", Value: str(d.set.Namespace)},
		jsontree.Member{Key: "ownerReferences", Value: d.ownerReferences()},
	)
	for _, key := range []string{"annotations", "finalizers"} {
		if v := meta.Get(key); v.Kind != jsontree.Null {
			metadata = metadata.With(key, v)
		}
	}

	spec := template.Get("spec").With("hostname", str(name)).Without("subdomain")
	if d.set.ServiceName != "" {
		spec = spec.With("subdomain", str(d.set.ServiceName))
	}
	if volumes := d.volumes(spec.Get("volumes"), name); len(volumes) > 0 {
		spec = spec.With("volumes", jsontree.Value{Kind: jsontree.Array, Items: volumes})
	} else {
		spec = spec.Without("volumes")
	}
	return newManifest(jsontree.NewObject(
		jsontree.Member{Key: "apiVersion", Value: str("v1")},
		jsontree.Member{Key: "kind", Value: str(KindPod)},
		jsontree.Member{Key: "metadata", Value: metadata},
		jsontree.Member{Key: "spec", Value: spec},
	), m)
}

// volumes puts the claims' volumes first, in the order of the claim templates, and drops template volumes of the same
// names (updateStorage upstream).
func (d *decision) volumes(of jsontree.Value, podName string) []jsontree.Value {
	var volumes []jsontree.Value
	claimed := make(map[string]bool, len(d.templates))
	for _, t := range d.templates {
		claimed[t.name] = true
		volumes = append(volumes, jsontree.NewObject(
			jsontree.Member{Key: "name", Value: jsontree.NewString(t.name)},
			jsontree.Member{Key: "persistentVolumeClaim", Value: jsontree.NewObject(
				jsontree.Member{Key: "claimName", Value: jsontree.NewString(t.name + "-" + podName)})},
		))
	}
	for _, v := range of.Items {
		if !claimed[v.Get("name").Text] {
			volumes = append(volumes, v)
		}
	}
	return volumes
}

// claimManifest is the claim of a template (getPersistentVolumeClaims upstream): its labels are the template's, and
// over them the selector's.
func (d *decision) claimManifest(t *claimTemplate, tree jsontree.Value) manifest {
	m := d.mark(t.source)
	metadata := tree.Get("metadata")
	labels := metadata.Get("labels")
	for _, kv := range objectOf(d.set.Selector.MatchLabels).Members {
		labels = labels.With(kv.Key, kv.Value)
	}
	metadata = metadata.Without("creationTimestamp").
		With("name", jsontree.NewString(t.name+"-"+d.set.Name+"-"+m)).
		With("namespace", jsontree.NewString(d.set.Namespace))
	if !labels.IsEmpty() {
		metadata = metadata.With("labels", labels)
	}
	if d.drain != nil && d.drain.on {
		metadata = metadata.With("annotations", metadata.Get("annotations").With(annotationDrainSet, jsontree.NewString(d.drain.mark)))
	}
	return newManifest(tree.
		With("apiVersion", jsontree.NewString("v1")).
		With("kind", jsontree.NewString(KindClaim)).
		With("metadata", metadata), m)
}

func (d *decision) ownerReferences() jsontree.Value {
	owner := d.owner()
	yes := jsontree.Value{Kind: jsontree.Bool, Text: "true"}
	return jsontree.Value{Kind: jsontree.Array, Items: []jsontree.Value{jsontree.NewObject(
		jsontree.Member{Key: "apiVersion", Value: jsontree.NewString(owner.APIVersion)},
		jsontree.Member{Key: "blockOwnerDeletion", Value: yes},
		jsontree.Member{Key: "controller", Value: yes},
		jsontree.Member{Key: "kind", Value: jsontree.NewString(owner.Kind)},
		jsontree.Member{Key: "name", Value: jsontree.NewString(owner.Name)},
		jsontree.Member{Key: "uid", Value: jsontree.NewString(owner.UID)},
	)}}
}

// objectOf makes an object of strings; the writer sorts its keys.
func objectOf(m map[string]string) jsontree.Value {
	v := jsontree.Value{Kind: jsontree.Object}
	for key, value := range m {
		v.Members = append(v.Members, jsontree.Member{Key: key, Value: jsontree.NewString(value)})
	}
	return v
}

// checkPodTemplate reports why no pod could be made of a template.
func checkPodTemplate(t jsontree.Value) error {
	if t.Kind != jsontree.Object {
		return fmt.Errorf("it is no object")
	}
	if spec := t.Get("spec"); spec.Kind != jsontree.Object {
		return fmt.Errorf("it has no spec")
	}
	metadata := t.Get("metadata")
	if metadata.Kind != jsontree.Object && metadata.Kind != jsontree.Null {
		return fmt.Errorf("metadata is no object")
	}
	return checkLabels(metadata.Get("labels"))
}

func checkLabels(labels jsontree.Value) error {
	if labels.Kind != jsontree.Object && labels.Kind != jsontree.Null {
		return fmt.Errorf("metadata.labels is no object")
	}
	for _, m := range labels.Members {
		if m.Value.Kind != jsontree.String {
			return fmt.Errorf("metadata.labels[%s] is no string", strings.ToValidUTF8(m.Key, "?"))
		}
	}
	return nil
}
