package vectors

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"

	"google.golang.org/protobuf/proto"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
	files "github.com/setplan/setplan/proto/vectors"
	"github.com/setplan/setplan/test/sim"
)

// seen are the objects of an adapter's view. They never change, so that they can be written later.
type seen struct{ set, others, pods, claims, revisions []sim.Object }

func seenIn(view sim.View, set string) seen {
	var s seen
	for _, kind := range []struct {
		name string
		list *[]sim.Object
	}{{sim.KindSet, &s.others}, {sim.KindPod, &s.pods}, {sim.KindClaim, &s.claims}, {sim.KindRevision, &s.revisions}} {
		for _, name := range view.Names(kind.name) {
			object := view.Get(kind.name, name)
			if kind.name == sim.KindSet && name == set {
				s.set = append(s.set, object)
				continue
			}
			*kind.list = append(*kind.list, object)
		}
	}
	return s
}

// objects writes what was seen as an API server serves it.
func (s seen) objects() (*files.Objects, error) {
	if len(s.set) != 1 {
		return nil, fmt.Errorf("a view with %d sets of one name", len(s.set))
	}
	out := &files.Objects{}
	var sets []json.RawMessage
	for _, list := range []struct {
		from []sim.Object
		to   *[]json.RawMessage
	}{{s.set, &sets}, {s.others, &out.Others}, {s.pods, &out.Pods}, {s.claims, &out.Claims}, {s.revisions, &out.Revisions}} {
		for _, object := range list.from {
			text, err := served(object)
			if err != nil {
				return nil, err
			}
			*list.to = append(*list.to, text)
		}
	}
	out.Set = sets[0]
	return out, nil
}

// served is an object with its kind, which an API server serves and Go's types mostly leave out.
func served(object sim.Object) (json.RawMessage, error) {
	switch o := object.(type) {
	case *corev1.Pod:
		o = o.DeepCopy()
		o.TypeMeta = metav1.TypeMeta{APIVersion: "v1", Kind: sim.KindPod}
		if _, marked := o.Annotations["setplan.io/in-place-update"]; !marked {
			unread(&o.Status)
		}
		object = o
	case *corev1.PersistentVolumeClaim:
		o = o.DeepCopy()
		o.TypeMeta = metav1.TypeMeta{APIVersion: "v1", Kind: sim.KindClaim}
		object = o
	case *appsv1.ControllerRevision:
		o = o.DeepCopy()
		o.TypeMeta = metav1.TypeMeta{APIVersion: "apps/v1", Kind: sim.KindRevision}
		object = o
	}
	return json.Marshal(object)
}

// unread leaves out what the kubelet says of containers where no snapshot takes it, so that a vector stays short. What a program that got to its end
// has left behind stays; the simulated kubelet says that without an id.
func unread(status *corev1.PodStatus) {
	status.ObservedGeneration, status.InitContainerStatuses = 0, nil
	status.ContainerStatuses = slices.DeleteFunc(status.ContainerStatuses, func(c corev1.ContainerStatus) bool {
		return c.State.Terminated == nil || c.ContainerID != ""
	})
}

// alike reports whether two snapshots say the same of a cluster, whatever the order of their lists, of their tables and of the keys
// in their templates.
func alike(a, b *setplanv1.Snapshot) (bool, error) {
	one, err := spelledOut(a)
	if err != nil {
		return false, err
	}
	two, err := spelledOut(b)
	return bytes.Equal(one, two), err
}

// spelledOut writes a snapshot with each object beside what it shares with others.
func spelledOut(s *setplanv1.Snapshot) ([]byte, error) {
	tables := s.GetTables()
	s = proto.CloneOf(s)
	s.Tables = nil
	if strategy := s.GetSet().GetUpdateStrategy(); strategy != nil && proto.Size(strategy) == 0 {
		s.Set.UpdateStrategy = nil // which means the same
	}
	if set := s.GetSet(); set != nil {
		set.PodTemplate = sorted(set.PodTemplate)
		for i := range set.ClaimTemplates {
			set.ClaimTemplates[i] = sorted(set.ClaimTemplates[i])
		}
		set.OwnFields = sorted(set.OwnFields)
	}
	slices.SortFunc(s.Pods, func(a, b *setplanv1.Pod) int { return cmp.Compare(a.GetName(), b.GetName()) })
	slices.SortFunc(s.Claims, func(a, b *setplanv1.Claim) int { return cmp.Compare(a.GetName(), b.GetName()) })
	slices.SortFunc(s.Revisions, func(a, b *setplanv1.Revision) int { return cmp.Compare(a.GetName(), b.GetName()) })
	var shared []proto.Message
	for _, pod := range s.Pods {
		shared = append(shared, at(tables.GetLabelSets(), pod.LabelSetIndex), at(tables.GetOwnerSets(), pod.OwnerSetIndex),
			at(tables.GetVolumeSets(), pod.VolumeSetIndex), at(tables.GetAnnotationSets(), pod.AnnotationSetIndex),
			&setplanv1.Tables{RevisionNames: []string{at(tables.GetRevisionNames(), pod.RevisionNameIndex)}})
		pod.LabelSetIndex, pod.OwnerSetIndex, pod.RevisionNameIndex, pod.VolumeSetIndex, pod.AnnotationSetIndex = 0, 0, 0, 0, 0
	}
	for _, claim := range s.Claims {
		shared = append(shared, at(tables.GetOwnerSets(), claim.OwnerSetIndex), at(tables.GetAnnotationSets(), claim.AnnotationSetIndex),
			at(tables.GetClaimStorages(), claim.StorageIndex))
		claim.OwnerSetIndex, claim.AnnotationSetIndex, claim.StorageIndex = 0, 0, 0
	}
	for _, revision := range s.Revisions {
		shared = append(shared, at(tables.GetOwnerSets(), revision.OwnerSetIndex))
		revision.OwnerSetIndex = 0
	}
	var out []byte
	for _, message := range append(shared, s) {
		text, err := proto.MarshalOptions{Deterministic: true}.Marshal(message)
		if err != nil {
			return nil, err
		}
		out = fmt.Appendf(out, "%d\n%s", len(text), text)
	}
	return out, nil
}

// sorted is JSON with its keys in order and each number as it stands; what is no JSON stays as it is.
func sorted(text []byte) []byte {
	var tree any
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	if decoder.Decode(&tree) != nil {
		return text
	}
	out, err := json.Marshal(tree)
	if err != nil {
		return text
	}
	return out
}

// at is the entry of a table; the zero value where there is none.
func at[T any](table []T, index uint32) (entry T) {
	if int(index) < len(table) {
		entry = table[index]
	}
	return entry
}
