package world

import (
	"bytes"
	"encoding/json"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/kubernetes/pkg/controller/history"
)

// makeHistory makes the revisions: those of earlier templates, sometimes out of order, and at the end the one of the wanted
// template, unless the set has been edited since.
func (b *builder) makeHistory() {
	d := &b.dice
	if d.chance(20) {
		b.set.Status.CollisionCount = ptr(int32(d.Intn(3)))
	}
	length := pick(d, 0, 1, 1, 1, 2, 2, 2, 3, 4, 5)
	number := int64(0)
	for i := range length {
		number += int64(pick(d, 1, 1, 1, 1, 0, 3))
		b.addRevision(i, max(1, number))
	}
	switch d.Intn(10) {
	case 0, 1: // edited, but not seen yet: the wanted template has no revision
	case 2: // rolled back
		if length > 0 {
			b.wantVariant(d.Intn(length))
		}
	default:
		if length > 0 {
			b.wantVariant(length - 1)
		}
	}
	if d.chance(6) {
		b.addTaken()
	}
	b.set.Status.CurrentRevision = b.someRevision()
	b.set.Status.UpdateRevision = b.someRevision()
	if last := len(b.revisions) - 1; d.chance(60) && last >= 0 { // as an earlier pass left it
		b.set.Status.UpdateRevision = b.revisions[last]
		if d.chance(60) {
			b.set.Status.CurrentRevision = b.revisions[last]
		}
	}
}

func (b *builder) wantVariant(variant int) {
	b.variant = variant
	b.set.Spec.Template = *b.wanted[variant].DeepCopy()
}

// addRevision adds the revision of a variant as this or another controller may have left it.
func (b *builder) addRevision(variant int, number int64) {
	d := &b.dice
	data := b.patch(variant)
	if d.odd() {
		data = edited(d, data)
	}
	revision := b.revisionOf(data, number)
	if b.w.Revision(revision.Name) != nil {
		return
	}
	switch {
	case d.odd():
		revision.OwnerReferences = nil
	case d.odd():
		revision.OwnerReferences = []metav1.OwnerReference{pick(d, someoneElse(pick(d, true, false)), b.namesake())}
	case d.odd():
		revision.OwnerReferences[0].UID = "uid-of-the-earlier-set"
	case d.odd():
		revision.OwnerReferences = append(revision.OwnerReferences, someoneElse(false))
	}
	if d.odd() {
		revision.Labels["app"] = "other"
	}
	b.w.Revisions = append(b.w.Revisions, revision)
	b.revisions = append(b.revisions, revision.Name)
}

func (b *builder) revisionOf(data []byte, number int64) *appsv1.ControllerRevision {
	revision, err := history.NewControllerRevision(b.set, setKind, b.set.Spec.Template.Labels, runtime.RawExtension{Raw: data},
		number, pick(&b.dice, nil, ptr(int32(0)), ptr(int32(0)), ptr(int32(1))))
	if err != nil {
		panic(err)
	}
	labels := map[string]string{}
	for key, value := range revision.Labels {
		labels[key] = value
	}
	revision.Labels, revision.Namespace = labels, b.set.Namespace
	revision.UID, revision.ResourceVersion = b.uid(), b.version()
	revision.CreationTimestamp = *b.ago(1000 - pick(&b.dice, int(number), 0))
	return revision
}

// addTaken adds revisions with the names that a new revision of the wanted template would get.
func (b *builder) addTaken() {
	d := &b.dice
	collisions := int32(0)
	if count := b.set.Status.CollisionCount; count != nil {
		collisions = *count
	}
	for range 1 + d.Intn(2) {
		wanted, err := history.NewControllerRevision(b.set, setKind, nil, runtime.RawExtension{Raw: b.patch(b.variant)}, 1, &collisions)
		if err != nil {
			panic(err)
		}
		taken := b.revisionOf(b.patch(d.Intn(variants)), int64(1+d.Intn(3)))
		if taken.Name = wanted.Name; b.w.Revision(taken.Name) != nil {
			return
		}
		if d.chance(60) {
			taken.OwnerReferences = []metav1.OwnerReference{someoneElse(true)}
		}
		b.w.Revisions = append(b.w.Revisions, taken)
		collisions++
	}
}

// someRevision is the name of a revision for a status or a pod's label; sometimes of none.
func (b *builder) someRevision() string {
	if len(b.revisions) == 0 || b.odd() {
		return pick(&b.dice, "", "web-gone")
	}
	return b.revisions[b.Intn(len(b.revisions))]
}

// edited returns a revision's data as an older release would write it, or after a user's edit. alike has the differences
// between Kubernetes encoders that do not change the meaning.
func edited(d *dice, data []byte) []byte {
	switch d.Intn(4) {
	case 0: // extra space
		var out bytes.Buffer
		if err := json.Indent(&out, data, "", " "); err != nil {
			panic(err)
		}
		return out.Bytes()
	case 1: // another meaning
		return bytes.Replace(data, []byte(`"dnsPolicy":"ClusterFirst"`), []byte(`"dnsPolicy":"Default"`), 1)
	default:
		edit := alike[d.Intn(len(alike))]
		return bytes.Replace(data, []byte(edit.from), []byte(edit.to), 1)
	}
}

// alike are spellings with the same meaning.
var alike = []struct{ from, to string }{
	{`"metadata":{`, `"metadata":{"creationTimestamp":null,`},
	{`"metadata":{`, `"metadata":{"annotations":{},`},
	{`"metadata":{`, `"metadata":{"annotations":null,`},
	{`"resources":{}`, `"command":null,"resources":{}`},
	{`"resources":{},`, ``},
	{`"resources":{}`, `"resources":null`},
	{`"resources":{}`, `"resources":{"limits":null}`},
	{`"securityContext":{},`, ``},
	{`"spec":{"containers"`, `"spec":{"volumes":null,"containers"`},
	{`{"spec":{"template"`, `{"kind":"StatefulSet","spec":{"template"`},
}
