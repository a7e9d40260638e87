package forecast

import (
	"strconv"
	"strings"

	"github.com/setplan/setplan/engine/jsontree"
	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/policy"
)

// tokenVariable is what a container of a drain pod reads its token from.
const tokenVariable = "SETPLAN_DRAIN_TOKEN"

// podOf is the snapshot's pod of a manifest, as it is right after its creation.
func (c *cluster) podOf(tree jsontree.Value) model.Pod {
	meta, spec := tree.Get("metadata"), tree.Get("spec")
	p := model.Pod{Name: strings.Clone(meta.Get("name").Text), UID: c.number(), ResourceVersion: c.number(), PodStatus: model.PodStatus{Phase: model.PodPending}, CreatedAt: c.stamp(),
		Owners: c.shared.ownersOf(meta), Annotations: c.annotationsOf(meta)}
	c.readLabels(&p, meta.Get("labels"))
	c.readVolumes(&p, spec.Get("volumes"))
	for _, gate := range spec.Get("schedulingGates").Items() {
		c.work(1)
		p.Gates = append(p.Gates, c.shared.text(gate.Get("name").Text))
	}
	tokens := c.tokensGiven(spec)
	c.makes(2*len(p.Name) + 32*(len(p.Volumes)+len(p.Gates)+2*len(p.OtherClaims)+tokens))
	if tokens > 0 {
		p.Ended = &model.PodEnded{Messages: make([]string, tokens)}
	}
	c.show(&p)
	return p
}

// readLabels takes the identity labels out of the others where a field says the same.
func (c *cluster) readLabels(p *model.Pod, labels jsontree.Value) {
	rest := make([]jsontree.Member, 0, len(labels.Members()))
	for _, m := range labels.Members() {
		c.work(4)
		switch {
		case m.Key == model.LabelPodName && m.Value.Text == p.Name:
			p.PodNameLabel = true
		case m.Key == model.LabelPodIndex && m.Value.Text == p.Name[strings.LastIndexByte(p.Name, '-')+1:]:
			p.PodIndexLabel = true
		case m.Key == model.LabelRevision:
			p.Revision = c.shared.text(m.Value.Text)
		default:
			rest = append(rest, m)
		}
	}
	p.Labels = c.shared.labelsOf(rest)
}

// readVolumes splits the claims of a pod into those with the usual name and the others.
func (c *cluster) readVolumes(p *model.Pod, volumes jsontree.Value) {
	for _, v := range volumes.Items() {
		c.work(1)
		claim := v.Get("persistentVolumeClaim")
		if claim.Kind != jsontree.Object {
			continue
		}
		volume, name := v.Get("name").Text, claim.Get("claimName").Text
		if name == volume+"-"+p.Name {
			p.Volumes = append(p.Volumes, c.shared.text(volume))
		} else {
			p.OtherClaims = append(p.OtherClaims, model.ClaimBinding{Volume: c.shared.text(volume), Claim: c.shared.text(name)})
		}
	}
}

// tokensGiven counts the containers that are given the token of a drain.
func (c *cluster) tokensGiven(spec jsontree.Value) (given int) {
	for _, container := range spec.Get("containers").Items() {
		c.work(1)
		for _, variable := range container.Get("env").Items() {
			c.work(1)
			if variable.Get("name").Text == tokenVariable {
				given++
				break
			}
		}
	}
	return given
}

// claimOf is the snapshot's claim of a manifest.
func (c *cluster) claimOf(tree jsontree.Value) model.Claim {
	meta := tree.Get("metadata")
	name := strings.Clone(meta.Get("name").Text)
	c.makes(2 * len(name))
	return model.Claim{Name: name, UID: c.number(), ResourceVersion: c.number(), Owners: c.shared.ownersOf(meta),
		Annotations: c.annotationsOf(meta), Phase: model.ClaimPending, Storage: c.storageOf(tree.Get("spec"))}
}

// revisionOf is the snapshot's revision of a manifest.
func (c *cluster) revisionOf(tree jsontree.Value) (r model.Revision, err error) {
	meta := tree.Get("metadata")
	r = model.Revision{Name: strings.Clone(meta.Get("name").Text), UID: c.number(), ResourceVersion: c.number(), Owners: c.shared.ownersOf(meta),
		Labels: jsontree.Strings(meta.Get("labels")), CreatedAt: c.stamp(), Data: jsontree.Append(nil, tree.Get("data"))}
	c.makes(2 * (len(r.Name) + len(r.Data)))
	r.Number, err = strconv.ParseInt(tree.Get("revision").Text, 10, 64)
	return r, err
}

// annotationsOf are those that a snapshot has.
func (c *cluster) annotationsOf(meta jsontree.Value) *model.Annotations {
	var ours []jsontree.Member
	for _, m := range meta.Get("annotations").Members() {
		c.work(1)
		if strings.HasPrefix(m.Key, policy.Prefix) {
			ours = append(ours, m)
		}
	}
	return c.shared.annotationsOf(ours)
}

// storageOf is what a new claim asks for.
func (c *cluster) storageOf(spec jsontree.Value) *model.ClaimStorage {
	text := func(of jsontree.Value) string { return c.shared.text(of.Text) }
	return &model.ClaimStorage{Request: text(spec.Get("resources").Get("requests").Get("storage")), Class: text(spec.Get("storageClassName")),
		AttributesClass: text(spec.Get("volumeAttributesClassName"))}
}
