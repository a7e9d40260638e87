package verify

import (
	"slices"
	"strings"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// revisionOf is the revision of a name from which templates may be taken; nil where there is none: the set's own, or somebody else's that stores what
// one of the set's own would, and keeps its name from it. Others are in the snapshot for their names.
func (v *Verifier) revisionOf(name string) *setplanv1.Revision {
	revision := v.revisions[name]
	if revision == nil || v.ownRevision(revision) || v.dataFault(v.document("revision "+name, revision.GetData())) == "" {
		return revision
	}
	return nil
}

// mayHave reports whether pods may be at a revision.
func (v *Verifier) mayHave(revision string) bool {
	return revision != "" && v.made == revision || v.revisionOf(revision) != nil
}

func byName[T interface{ GetName() string }](objects []T) map[string]T {
	index := make(map[string]T, len(objects))
	for _, object := range objects {
		index[object.GetName()] = object
	}
	return index
}

// at reads a table. Index 0 means none, whatever the first entry holds.
func at[T any](table []T, index uint32) (entry T) {
	if index > 0 && int(index) < len(table) {
		entry = table[index]
	}
	return entry
}

func (v *Verifier) owners(set uint32) []*setplanv1.OwnerReference {
	return at(v.snapshot.GetTables().GetOwnerSets(), set).GetOwners()
}

// note is the text of an annotation of a pod or a claim; empty where it has none of that name.
func (v *Verifier) note(set uint32, name string) string {
	return at(v.snapshot.GetTables().GetAnnotationSets(), set).GetAnnotations()[name]
}

// markOf says whose drain policy covers a claim.
func (v *Verifier) markOf(claim *setplanv1.Claim) string {
	return v.note(claim.GetAnnotationSetIndex(), noteDrainSet)
}

func controllerOf(owners []*setplanv1.OwnerReference) *setplanv1.OwnerReference {
	for _, owner := range owners {
		if owner.GetController() {
			return owner
		}
	}
	return nil
}

// whose tells about an object's owners: the set controls it, or nobody does.
func (v *Verifier) whose(owners []*setplanv1.OwnerReference) (ours, orphan bool) {
	controller := controllerOf(owners)
	return controller.GetUid() == v.set.GetUid() && controller != nil, controller == nil
}

// matches reports whether the selector is for a pod.
func (v *Verifier) matches(pod *setplanv1.Pod) bool {
	return selects(v.set.GetSelector(), func(key string) (string, bool) { return v.label(pod, key) })
}

// label reads a pod's label, those included that have fields of their own.
func (v *Verifier) label(pod *setplanv1.Pod, key string) (string, bool) {
	switch {
	case key == labelPodName && pod.GetPodNameLabel():
		return pod.GetName(), true
	case key == labelPodIndex && pod.GetPodIndexLabel():
		return trailingDigits(pod.GetName()), true
	case key == labelRevision && pod.GetRevisionNameIndex() != 0:
		return at(v.snapshot.GetTables().GetRevisionNames(), pod.GetRevisionNameIndex()), true
	}
	value, ok := at(v.snapshot.GetTables().GetLabelSets(), pod.GetLabelSetIndex()).GetLabels()[key]
	return value, ok
}

func trailingDigits(name string) string { return name[len(strings.TrimRight(name, "0123456789")):] }

// member reports whether a pod is the set's: the set controls it, or may adopt it for its name and labels. A set that is being
// deleted adopts nothing: who deletes it with --cascade=orphan keeps the pods.
func (v *Verifier) member(pod *setplanv1.Pod) bool {
	ours, orphan := v.whose(v.owners(pod.GetOwnerSetIndex()))
	return ours || orphan && !v.deleting() && isMember(pod.GetName(), v.set.GetName()) && v.matches(pod)
}

// drainPod reports whether a pod is a drain pod of the set: it says so, and nobody controls it.
func (v *Verifier) drainPod(pod *setplanv1.Pod) bool {
	_, orphan := v.whose(v.owners(pod.GetOwnerSetIndex()))
	return orphan && v.note(pod.GetAnnotationSetIndex(), noteDrainSet) == v.mark()
}

// ownRevision reports whether a revision is the set's: labels that match, and no other controller.
func (v *Verifier) ownRevision(revision *setplanv1.Revision) bool {
	ours, orphan := v.whose(v.owners(revision.GetOwnerSetIndex()))
	return (ours || orphan) && selects(v.set.GetSelector(), func(key string) (string, bool) {
		value, ok := revision.GetLabels()[key]
		return value, ok
	})
}

// selects evaluates a selector with the meaning of metav1.LabelSelector. One that is empty selects nothing.
func selects(selector *setplanv1.LabelSelector, label func(string) (string, bool)) bool {
	for key, wanted := range selector.GetMatchLabels() {
		if value, ok := label(key); !ok || value != wanted {
			return false
		}
	}
	for _, requirement := range selector.GetMatchExpressions() {
		value, present := label(requirement.GetKey())
		listed := slices.Contains(requirement.GetValues(), value)
		ok := false
		switch requirement.GetOperator() {
		case "Exists":
			ok = present
		case "DoesNotExist":
			ok = !present
		case "In":
			ok = present && listed
		case "NotIn":
			ok = !present || !listed
		}
		if !ok {
			return false
		}
	}
	return len(selector.GetMatchLabels())+len(selector.GetMatchExpressions()) > 0
}

// owner is the reference by which the set controls what it makes and adopts.
func (v *Verifier) owner() *setplanv1.OwnerReference {
	return &setplanv1.OwnerReference{ApiVersion: v.set.GetApiVersion(), Kind: v.set.GetKind(), Name: v.set.GetName(),
		Uid: v.set.GetUid(), Controller: true, BlockOwnerDeletion: true}
}

func (v *Verifier) deleting() bool { return v.set.GetDeletionUnixMs() != 0 }

// emptying reports whether the set is being deleted and is drained before it goes.
func (v *Verifier) emptying() bool {
	return v.deleting() && v.draining() && v.policy().onDelete && slices.Contains(v.set.GetFinalizers(), finalizerDrain)
}
