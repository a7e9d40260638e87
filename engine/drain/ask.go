package drain

import (
	"hash/fnv"
	"strconv"
	"strings"

	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/plan"
	"github.com/setplan/setplan/engine/state"
)

// askToGo asks a replica before it is deleted and waits for its answer. An ended replica cannot answer.
func (dr *Drain) askToGo(step *model.Step, p *model.Pod) plan.Verdict {
	if p.HasEnded() {
		return plan.GoOn
	}
	asked := IsAskedItself(p)
	if asked && state.DrainAnswer(p) == state.DrainRequest(p) {
		return plan.GoOn
	}
	question := dr.question(p)
	if asked {
		question = state.DrainRequest(p)
	} else {
		ask := model.PatchAnnotations{Set: []model.KeyValue{{Key: state.AnnotationDrainRequest, Value: question}}}
		if state.DrainAnswer(p) != "" {
			ask.Remove = []string{state.AnnotationDrainAnswer}
		}
		if !dr.out.Emit(step, model.Action{Kind: model.KindPod, Name: p.Name, UID: p.UID, Op: ask, Cause: causeAsk}, question) {
			return plan.Fail
		}
	}
	dr.out.Block(blockAsked(p, question))
	return plan.Hold
}

// question is the same for the same pod and spec, so that two adapters ask the same question.
func (dr *Drain) question(p *model.Pod) string {
	return strconv.FormatInt(dr.view.Set.Generation, 10) + "-" + signOf(p)
}

// signOf is what every question to a pod ends in. It tells the pod from one that had its name before, and from another one whose annotations somebody
// has copied.
func signOf(p *model.Pod) string {
	h := fnv.New64a()
	h.Write([]byte(p.UID))
	return strconv.FormatUint(h.Sum64(), 36)
}

// IsAskedItself reports whether the pod's question was put to this pod. Any other text is replaced, so that no answer to it counts, and the remedy, which
// people paste into a shell, never contains it.
func IsAskedItself(p *model.Pod) bool {
	generation, signed := strings.CutSuffix(state.DrainRequest(p), "-"+signOf(p))
	if !signed || len(generation) > longestGeneration {
		return false
	}
	_, err := strconv.ParseInt(generation, 10, 64)
	return err == nil
}

// longestGeneration is the length of the longest int64. A text that is longer is not read.
const longestGeneration = len("-9223372036854775808")

// takeBackQuestions removes questions and answers from pods that stay.
func (dr *Drain) takeBackQuestions(stage *model.Stage) {
	if dr.DrainOnly {
		return
	}
	for _, p := range dr.view.Replicas {
		if p == nil || !state.HasDrainNotes(p) {
			continue
		}
		var remove []string
		if state.DrainAnswer(p) != "" {
			remove = append(remove, state.AnnotationDrainAnswer)
		}
		if state.DrainRequest(p) != "" {
			remove = append(remove, state.AnnotationDrainRequest)
		}
		if len(remove) == 0 {
			continue
		}
		stage.Add(func(s *model.Step) {
			dr.out.Emit(s, model.Action{Kind: model.KindPod, Name: p.Name, UID: p.UID, Op: model.PatchAnnotations{Remove: remove}, Cause: causeTakeBack}, "back")
		})
	}
}
