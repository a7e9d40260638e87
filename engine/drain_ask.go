package engine

import (
	"hash/fnv"
	"strconv"
	"strings"

	"github.com/setplan/setplan/engine/model"
)

// askToGo asks a replica before it is deleted and waits for its answer. An ended replica cannot answer.
func (dr *drain) askToGo(step *model.Step, p *model.Pod) verdict {
	if p.HasEnded() {
		return goOn
	}
	asked := isAskedItself(p)
	if asked && drainAnswer(p) == drainRequest(p) {
		return goOn
	}
	question := dr.question(p)
	if asked {
		question = drainRequest(p)
	} else {
		ask := model.PatchAnnotations{Set: []model.KeyValue{{Key: annotationDrainRequest, Value: question}}}
		if drainAnswer(p) != "" {
			ask.Remove = []string{annotationDrainAnswer}
		}
		if !dr.out.emit(step, model.Action{Kind: model.KindPod, Name: p.Name, UID: p.UID, Op: ask, Cause: causeAsk}, question) {
			return fail
		}
	}
	dr.out.block(blockAsked(p, question))
	return hold
}

// question is the same for the same pod and spec, so that two adapters ask the same question.
func (dr *drain) question(p *model.Pod) string {
	return strconv.FormatInt(dr.view.set.Generation, 10) + "-" + signOf(p)
}

// sign is what every question to a pod ends in. It tells the pod from one that had its name before, and from another one whose annotations somebody
// has copied.
func signOf(p *model.Pod) string {
	h := fnv.New64a()
	h.Write([]byte(p.UID))
	return strconv.FormatUint(h.Sum64(), 36)
}

// isAsked reports whether the pod's question was put to this pod. Any other text is replaced, so that no answer to it counts, and the remedy, which
// people paste into a shell, never contains it.
func isAskedItself(p *model.Pod) bool {
	generation, signed := strings.CutSuffix(drainRequest(p), "-"+signOf(p))
	if !signed || len(generation) > longestGeneration {
		return false
	}
	_, err := strconv.ParseInt(generation, 10, 64)
	return err == nil
}

// longestGeneration is the length of the longest int64. A text that is longer is not read.
const longestGeneration = len("-9223372036854775808")

// takeBackQuestions removes questions and answers from pods that stay.
func (dr *drain) takeBackQuestions(stage *model.Stage) {
	if dr.drainOnly {
		return
	}
	for _, p := range dr.view.replicas {
		if p == nil || !hasDrainNotes(p) {
			continue
		}
		var remove []string
		if drainAnswer(p) != "" {
			remove = append(remove, annotationDrainAnswer)
		}
		if drainRequest(p) != "" {
			remove = append(remove, annotationDrainRequest)
		}
		if len(remove) == 0 {
			continue
		}
		stage.Add(func(s *model.Step) {
			dr.out.emit(s, model.Action{Kind: model.KindPod, Name: p.Name, UID: p.UID, Op: model.PatchAnnotations{Remove: remove}, Cause: causeTakeBack}, "back")
		})
	}
}
