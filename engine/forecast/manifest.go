package forecast

import (
	"errors"
	"strconv"
	"strings"

	"github.com/setplan/setplan/engine"
	"github.com/setplan/setplan/engine/jsontree"
)

// The names in manifests that the snapshot has fields for: what an adapter would make of the object.
const (
	labelPodName  = "statefulset.kubernetes.io/pod-name"
	labelPodIndex = "apps.kubernetes.io/pod-index"
	labelRevision = "controller-revision-hash"

	annotationPrefix = "setplan.io/"
	annotationUpdate = "setplan.io/in-place-update" // of pods of which snapshots say what runs in them
	tokenVariable    = "SETPLAN_DRAIN_TOKEN"
)

var errNoName = errors.New("metadata.name is required")

// podOf is the snapshot's pod of a manifest, as it is right after its creation.
func (c *cluster) podOf(tree jsontree.Value) engine.Pod {
	meta, spec := tree.Get("metadata"), tree.Get("spec")
	p := engine.Pod{Name: meta.Get("name").Text, UID: c.number(), ResourceVersion: c.number(), Phase: engine.PodPending, CreatedAt: c.stamp(),
		Owners: ownersOf(meta), Annotations: annotationsOf(meta)}
	c.readLabels(&p, meta.Get("labels"))
	readVolumes(&p, spec.Get("volumes"))
	if tokens := tokensGiven(spec); tokens > 0 {
		p.Ended = &engine.PodEnded{Messages: make([]string, tokens)}
	}
	c.show(&p)
	return p
}

// readLabels takes the identity labels out of the others where a field says the same.
func (c *cluster) readLabels(p *engine.Pod, labels jsontree.Value) {
	rest := make([]jsontree.Member, 0, len(labels.Members()))
	for _, m := range labels.Members() {
		switch {
		case m.Key == labelPodName && m.Value.Text == p.Name:
			p.PodNameLabel = true
		case m.Key == labelPodIndex && m.Value.Text == p.Name[strings.LastIndexByte(p.Name, '-')+1:]:
			p.PodIndexLabel = true
		case m.Key == labelRevision:
			p.Revision = m.Value.Text
		default:
			rest = append(rest, m)
		}
	}
	p.Labels = c.shared.labels(rest)
}

// readVolumes splits the claims of a pod into those with the usual name and the others.
func readVolumes(p *engine.Pod, volumes jsontree.Value) {
	for _, v := range volumes.Items() {
		claim := v.Get("persistentVolumeClaim")
		if claim.Kind != jsontree.Object {
			continue
		}
		volume, name := v.Get("name").Text, claim.Get("claimName").Text
		if name == volume+"-"+p.Name {
			p.Volumes = append(p.Volumes, volume)
		} else {
			p.OtherClaims = append(p.OtherClaims, engine.ClaimBinding{Volume: volume, Claim: name})
		}
	}
}

// tokensGiven counts the containers that are given the token of a drain.
func tokensGiven(spec jsontree.Value) (given int) {
	for _, container := range spec.Get("containers").Items() {
		for _, variable := range container.Get("env").Items() {
			if variable.Get("name").Text == tokenVariable {
				given++
				break
			}
		}
	}
	return given
}

// claimOf is the snapshot's claim of a manifest.
func (c *cluster) claimOf(tree jsontree.Value) engine.Claim {
	meta := tree.Get("metadata")
	return engine.Claim{Name: meta.Get("name").Text, UID: c.number(), ResourceVersion: c.number(), Owners: ownersOf(meta),
		Annotations: annotationsOf(meta), Phase: engine.ClaimPending, Storage: storageOf(tree.Get("spec"))}
}

// revisionOf is the snapshot's revision of a manifest.
func (c *cluster) revisionOf(tree jsontree.Value) (r engine.Revision, err error) {
	meta := tree.Get("metadata")
	r = engine.Revision{Name: meta.Get("name").Text, UID: c.number(), ResourceVersion: c.number(), Owners: ownersOf(meta),
		Labels: jsontree.Count{}.Strings(meta.Get("labels")), CreatedAt: c.stamp(), Data: jsontree.Append(nil, tree.Get("data"))}
	r.Number, err = strconv.ParseInt(tree.Get("revision").Text, 10, 64)
	return r, err
}

func ownersOf(meta jsontree.Value) (owners []engine.Owner) {
	for _, o := range meta.Get("ownerReferences").Items() {
		owners = append(owners, engine.Owner{APIVersion: o.Get("apiVersion").Text, Kind: o.Get("kind").Text, Name: o.Get("name").Text,
			UID: o.Get("uid").Text, Controller: o.Get("controller").Text == "true", BlockOwnerDeletion: o.Get("blockOwnerDeletion").Text == "true"})
	}
	return owners
}

// annotationsOf are those that a snapshot has.
func annotationsOf(meta jsontree.Value) *engine.Annotations {
	values := map[string]string{}
	for _, m := range meta.Get("annotations").Members() {
		if strings.HasPrefix(m.Key, annotationPrefix) {
			values[m.Key] = m.Value.Text
		}
	}
	if len(values) == 0 {
		return nil
	}
	return &engine.Annotations{Values: values}
}

// storageOf is what a new claim asks for.
func storageOf(spec jsontree.Value) *engine.ClaimStorage {
	return &engine.ClaimStorage{Request: spec.Get("resources").Get("requests").Get("storage").Text, Class: spec.Get("storageClassName").Text,
		AttributesClass: spec.Get("volumeAttributesClassName").Text}
}
