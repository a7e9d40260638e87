package verify

import (
	"slices"
	"strconv"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// While images or resources of a pod change in place, an annotation says what is under way: to which revision, which containers ran before, and which
// resources they had. The label of the revision follows in an update of its own, which empties the annotation.

const (
	noteUpdate      = "setplan.io/in-place-update"
	nothingUnderWay = "{}"
)

// underWay is what that annotation of a pod says.
type underWay struct {
	marked   bool // it is there
	broken   bool // and nobody can read it
	record   *node
	revision string // "": nothing is under way
}

func (v *Verifier) underWay(pod *setplanv1.Pod) underWay {
	text, marked := at(v.snapshot.GetTables().GetAnnotationSets(), pod.GetAnnotationSetIndex()).GetAnnotations()[noteUpdate]
	if !marked {
		return underWay{}
	}
	if template := v.stored(v.revisionOf(v.labelledRevision(pod))); template.get("metadata", "annotations", noteUpdate).is(text) {
		return underWay{marked: true} // every pod of that template has it
	}
	record, _ := parse([]byte(text), true)
	revision := record.get("revision").string()
	if revision != "" && !v.isNoteOf(pod, record) {
		return underWay{marked: true, broken: !v.hasImages(pod, v.labelledRevision(pod))}
	}
	return underWay{marked: true, broken: text != nothingUnderWay && revision == "", record: record, revision: revision}
}

// isNoteOf reports whether a note was written for a pod. A copy on another pod says nothing there. One without a uid may be the pod's, unless it is older
// than the pod, or the pod does not have the images that were in the same write.
func (v *Verifier) isNoteOf(pod *setplanv1.Pod, record *node) bool {
	containers, shown := record.get("containers").object(), map[string]bool{}
	for _, c := range slices.Concat(pod.GetContainers().GetContainers(), pod.GetContainers().GetInitContainers()) {
		shown[c.GetName()] = true
	}
	for _, noted := range []map[string]*node{containers, record.get("resize").object()} {
		for name := range noted {
			if !shown[name] && pod.GetContainers() != nil {
				return false
			}
		}
	}
	if uid := record.get("uid"); uid != nil {
		return uid.is(pod.GetUid())
	}
	var seconds int64
	if at := record.get("at"); at != nil {
		seconds, _ = strconv.ParseInt(at.text, 10, 64)
	}
	return seconds >= pod.GetCreatedUnixMs()/1000 &&
		(len(containers) == 0 || v.hasImages(pod, record.get("revision").string()) || !v.hasImages(pod, v.labelledRevision(pod)))
}

// hasImages reports whether the containers of a pod are seen to have the images of a revision.
func (v *Verifier) hasImages(pod *setplanv1.Pod, revision string) bool {
	shown := map[string]string{}
	for _, c := range slices.Concat(pod.GetContainers().GetContainers(), pod.GetContainers().GetInitContainers()) {
		shown[c.GetName()] = c.GetImage()
	}
	template := v.stored(v.revisionOf(revision))
	for _, list := range containerLists {
		if containers := template.get("spec", list); containers != nil {
			for _, c := range containers.items {
				if shown[c.get("name").string()] != c.get("image").string() {
					return false
				}
			}
		}
	}
	return template.get("spec", listContainers) != nil
}

func (v *Verifier) labelledRevision(pod *setplanv1.Pod) string {
	return at(v.snapshot.GetTables().GetRevisionNames(), pod.GetRevisionNameIndex())
}

// runs is the revision whose template a pod has: the one that it is on its way to, or else the label's.
func (v *Verifier) runs(pod *setplanv1.Pod) string {
	if to := v.underWay(pod).revision; to != "" {
		return to
	}
	return v.labelledRevision(pod)
}

// updating is what an UpdatePod does.
type updating struct {
	step   updateStep
	to     string // the revision
	record *node  // of a start and a note: what is under way
}

type updateStep int

const (
	relabels updateStep = iota // labels and annotations alone change
	starts                     // images change, or resources are to
	notes                      // what the pod runs is noted anew while they change
	finishes                   // they have changed, and the label follows
)

func (s *subject) updating() updating {
	update, under := s.action.GetUpdatePod(), s.underWay(s.pod)
	text, noted := update.GetAnnotations()[noteUpdate]
	switch record, _ := parse([]byte(text), true); {
	case !noted:
		return updating{relabels, update.GetLabels()[labelRevision], nil}
	case text == nothingUnderWay:
		return updating{finishes, under.revision, nil}
	case under.revision != "" && under.revision == record.get("revision").string():
		return updating{notes, under.revision, record}
	default:
		return updating{starts, record.get("revision").string(), record}
	}
}

// markFaultOfPod: a pod is marked once, before its images change for the first time: from then on the snapshot shows what runs in it.
func markFaultOfPod(s *subject) string {
	patch := s.action.GetPatchAnnotations()
	switch {
	case patch.GetSet()[noteUpdate] != nothingUnderWay || len(patch.GetSet())+len(patch.GetRemove()) > 1:
		return "a pod is marked for updates in place, and says more than that"
	case s.underWay(s.pod).marked:
		return "the pod is marked for updates in place already"
	}
	return s.inPlaceFault()
}

// marksPod reports whether the action marks a pod for updates of its images.
func (s *subject) marksPod() bool {
	_, marks := s.action.GetPatchAnnotations().GetSet()[noteUpdate]
	return marks && s.action.GetTarget().GetKind() == kindPod
}
