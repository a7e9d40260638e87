package verify

import (
	"regexp"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// While images or resources of a pod change in place, an annotation notes what is under way: to which revision, which containers ran before, and which
// resources they had. The label of the revision follows in an update of its own, which empties the note.

const (
	noteUpdate      = "setplan.io/in-place-update"
	nothingUnderWay = "{}"

	// A note has at most these bytes, and as many for each container of its pod.
	longestNote = 2048
)

// aNote is the form of a note, which has its keys in order.
var aNote = func() *regexp.Regexp {
	const text = `"(?:[^"\\]|\\.)*"`
	const amounts = `\{"(?:cpu|memory)":` + text + `(?:,"memory":` + text + `)?\}`
	const ran = `"id":` + text + `,"image":` + text
	const container = text + `:\{(?:"good":\{` + ran + `\},)?` + ran + `(?:,"open":true)?\}`
	const resources = text + `:\{"(?:limits|requests)":` + amounts + `(?:,"requests":` + amounts + `)?\}`
	return regexp.MustCompile(`^\{"at":[0-9]{1,10},"containers":\{(?:` + container + `(?:,` + container + `)*)?\}(?:,"resize":\{` + resources + `(?:,` + resources + `)*\})?` +
		`(?:,"restarts":true)?,"revision":` + text + `(?:,"seen":true)?,"uid":` + text + `\}$`)
}()

// podRecordFault: a note is short, one that every planner can read, and about this pod. What it says of what ran before is the planner's business.
func podRecordFault(s *subject) string {
	text, noted := s.action.GetUpdatePod().GetAnnotations()[noteUpdate]
	if !noted || text == nothingUnderWay {
		return ""
	}
	known := map[string]bool{}
	for _, list := range containerLists {
		for _, c := range s.shown(list) {
			known[c.GetName()] = true
		}
	}
	record, _ := parse([]byte(text), true)
	containers, resize := record.get("containers").object(), record.get("resize").object()
	switch {
	case len(text) > longestNote*(1+len(known)) || !aNote.MatchString(text) || !canonical([]byte(text)) || len(containers)+len(resize) == 0:
		return "what is under way has another form"
	case !record.get("uid").is(s.pod.GetUid()):
		return "what is under way has the uid of another pod"
	}
	for _, noted := range [...]map[string]*node{containers, resize} {
		for name := range noted {
			if !known[name] {
				return "what is under way names a container that the pod does not have"
			}
		}
	}
	return ""
}

// runs is the revision whose template a pod has: the one that it is on its way to by a note of its own, or else the label's. "": nobody can tell.
func (v *Verifier) runs(pod *setplanv1.Pod) string {
	text, label := v.note(pod.GetAnnotationSetIndex(), noteUpdate), v.labelledRevision(pod)
	record, _ := parse([]byte(text), true)
	switch uid := record.get("uid"); {
	case text == "" || text == nothingUnderWay || uid != nil && !uid.is(pod.GetUid()):
		return label
	case v.stored(v.revisionOf(label)).get("metadata", "annotations", noteUpdate).is(text):
		return label // every pod of that template has it
	case uid == nil:
		return ""
	}
	return record.get("revision").string()
}

func (v *Verifier) labelledRevision(pod *setplanv1.Pod) string {
	return at(v.snapshot.GetTables().GetRevisionNames(), pod.GetRevisionNameIndex())
}

// markFaultOfPod: a pod is marked once, before its images change for the first time: from then on the snapshot shows what runs in it.
func markFaultOfPod(s *subject) string {
	patch := s.action.GetPatchAnnotations()
	_, marked := at(s.snapshot.GetTables().GetAnnotationSets(), s.pod.GetAnnotationSetIndex()).GetAnnotations()[noteUpdate]
	switch {
	case patch.GetSet()[noteUpdate] != nothingUnderWay || len(patch.GetSet())+len(patch.GetRemove()) > 1:
		return "a pod is marked for updates in place, and says more than that"
	case marked:
		return "the pod is marked for updates in place already"
	}
	return s.inPlaceFault()
}

// marksPod reports whether the action marks a pod for updates of its images.
func (s *subject) marksPod() bool {
	_, marks := s.action.GetPatchAnnotations().GetSet()[noteUpdate]
	return marks && s.action.GetTarget().GetKind() == kindPod
}
