package verify

import setplanv1 "github.com/setplan/setplan/proto/setplan/v1"

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
	return underWay{marked: true, broken: text != nothingUnderWay && revision == "", record: record, revision: revision}
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
