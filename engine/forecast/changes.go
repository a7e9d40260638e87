package forecast

import (
	"maps"
	"slices"
	"strings"

	"github.com/setplan/setplan/engine"
	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/policy"
)

// change is what has become of an object, as it was then.
type change struct {
	kind     changeKind
	pod      model.Pod
	claim    model.Claim
	revision model.Revision
	why      model.Cause // zero: the cluster did it by itself
}

type changeKind uint8

const (
	_ changeKind = iota
	podMade
	podDeleted // its end is certain
	podGoing   // a host stops it
	podAsked   // whether it may go
	podUpdated // in place
	podRevised // it got other images, and its containers start again
	podResized // it asks for other resources
	podGone
	claimMade
	claimChanged
	claimDeleted // its end is certain
	claimGone
	revisionDeleted
)

// tell passes a change on, with the cause of the action that is carried out.
func (c *cluster) tell(ch change) {
	ch.why = c.why
	c.told(ch)
}

// What operations change in existing objects. What several objects share is replaced, and never changed in place.

// setLabels writes labels of a pod, and takes others away; those of the identity have fields.
func (c *cluster) setLabels(p *model.Pod, set []model.KeyValue, without []string) {
	labels := map[string]string{}
	if p.Labels != nil {
		c.hold(len(p.Labels.Values) * stateBytes)
		maps.Copy(labels, p.Labels.Values)
	}
	for _, l := range set {
		delete(labels, l.Key)
		switch l.Key {
		case model.LabelPodName:
			p.PodNameLabel = true
		case model.LabelPodIndex:
			p.PodIndexLabel = true
		case model.LabelRevision:
			p.Revision = l.Value
		default:
			labels[l.Key] = l.Value
		}
	}
	for _, key := range without {
		delete(labels, key)
	}
	p.Labels = &model.Labels{Values: labels}
}

// updatePod brings a pod to another revision in place, or on its way there. Snapshots carry only annotations of ours.
func (c *cluster) updatePod(p *model.Pod, op model.UpdatePod) {
	c.setLabels(p, op.Labels, op.RemoveLabels)
	p.Annotations = c.patched(p.Annotations, model.PatchAnnotations{Set: ours(op.Annotations)})
	switch {
	case len(op.Containers)+len(op.InitContainers) > 0:
		c.setImages(p, op)
		c.tell(change{kind: podRevised, pod: *p})
	case engine.UnderWay(p) == "":
		c.tell(change{kind: podUpdated, pod: *p})
	}
}

// adopted adds an owner; one of the same uid is replaced, so that doing it twice is doing it once.
func (c *cluster) adopted(owners []model.Owner, owner model.Owner) []model.Owner {
	return append(c.released(owners, owner.UID), owner)
}

func (c *cluster) released(owners []model.Owner, uid string) []model.Owner {
	c.hold(len(owners) * 2 * stateBytes)
	return slices.DeleteFunc(slices.Clone(owners), func(o model.Owner) bool { return o.UID == uid })
}

func (c *cluster) patchAnnotations(a *model.Action, op model.PatchAnnotations) error {
	if a.Kind == model.KindClaim {
		return c.onClaim(a, func(claim *model.Claim) { claim.Annotations = c.patched(claim.Annotations, op) })
	}
	return c.onPod(a, func(p *model.Pod) {
		p.Annotations = c.patched(p.Annotations, op)
		c.show(p)
		if _, asked := engine.DrainAnswer(p); asked {
			c.tell(change{kind: podAsked, pod: *p})
		}
	})
}

// changeClaim lets a claim ask for something else; its volume gets it at once.
func (c *cluster) changeClaim(claim *model.Claim, op model.PatchClaim) {
	storage := model.ClaimStorage{}
	if claim.Storage != nil {
		storage = *claim.Storage
	}
	if op.Request != "" {
		storage.Request, storage.ResizeStatus, storage.Conditions = op.Request, "", nil
	}
	if op.AttributesClass != "" {
		storage.AttributesClass, storage.ModifyStatus, storage.Conditions = op.AttributesClass, "", nil
	}
	claim.Storage, _ = engine.Settled(&storage)
	claim.Annotations = c.patched(claim.Annotations, model.PatchAnnotations{Set: ours(op.Annotations)})
	c.tell(change{kind: claimChanged, claim: *claim})
}

// ours are the annotations that snapshots carry.
func ours(annotations []model.KeyValue) []model.KeyValue {
	return slices.DeleteFunc(slices.Clone(annotations), func(a model.KeyValue) bool { return !strings.HasPrefix(a.Key, policy.Prefix) })
}

func (c *cluster) patched(annotations *model.Annotations, op model.PatchAnnotations) *model.Annotations {
	values := map[string]string{}
	if annotations != nil {
		c.hold(len(annotations.Values) * stateBytes)
		maps.Copy(values, annotations.Values)
	}
	for _, a := range op.Set {
		values[a.Key] = a.Value
		c.hold(stateBytes + len(a.Value))
	}
	for _, key := range op.Remove {
		delete(values, key)
	}
	if len(values) == 0 {
		return nil
	}
	return &model.Annotations{Values: values}
}

// writeStatus stores what an action writes. Conditions are set by type; a collision count that is not written stays.
func (c *cluster) writeStatus(stored, wanted *model.Status) {
	c.work((2 + len(wanted.Conditions)) * len(stored.Conditions))
	conditions, count := slices.Clone(stored.Conditions), stored.CollisionCount
	*stored = *wanted
	if wanted.CollisionCount == nil {
		stored.CollisionCount = count
	}
	for _, w := range wanted.Conditions {
		i := slices.IndexFunc(conditions, func(c model.Condition) bool { return c.Type == w.Type })
		if i < 0 {
			conditions = append(conditions, w)
		} else {
			conditions[i] = w
		}
	}
	stored.Conditions = conditions
}

func (c *cluster) withFinalizer(finalizers []string, name string, present bool) []string {
	c.work(len(finalizers))
	others := slices.DeleteFunc(slices.Clone(finalizers), func(f string) bool { return f == name })
	if present {
		others = append(others, name)
	}
	return others
}
