package engine

import (
	"hash/fnv"
	"strconv"
	"strings"
)

// askToGo asks a replica before it is deleted and waits for its answer. An ended replica cannot answer.
func (dr *drain) askToGo(step *Step, p *Pod) verdict {
	if p.ended() {
		return goOn
	}
	asked := isQuestion(p.request())
	if asked && p.answer() == p.request() {
		return goOn
	}
	question := dr.question(p)
	if asked {
		question = p.request()
	} else {
		ask := PatchAnnotations{Set: []KeyValue{{annotationDrainRequest, question}}}
		if p.answer() != "" {
			ask.Remove = []string{annotationDrainAnswer}
		}
		if !dr.out.emit(step, Action{Kind: KindPod, Name: p.Name, UID: p.UID, Op: ask, Cause: causeAsk}, question) {
			return fail
		}
	}
	dr.out.block(blockAsked(p, question))
	return hold
}

// question is the same for the same pod and spec, so that two adapters ask the same question.
func (dr *drain) question(p *Pod) string {
	h := fnv.New64a()
	h.Write([]byte(p.UID))
	return strconv.FormatInt(dr.view.set.Generation, 10) + "-" + strconv.FormatUint(h.Sum64(), 36)
}

// isQuestion reports whether a request has our form. Any other text is replaced, so that the remedy, which people paste into a shell,
// never contains it.
func isQuestion(request string) bool {
	if len(request) > maxQuestion {
		return false
	}
	generation, hash, dashed := strings.Cut(request, "-")
	_, notNumber := strconv.ParseInt(generation, 10, 64)
	_, notHash := strconv.ParseUint(hash, 36, 64)
	return dashed && notNumber == nil && notHash == nil
}

// maxQuestion is the length of the longest question: an int64, a dash, a uint64 in base 36.
const maxQuestion = 20 + 1 + 13

// takeBackQuestions removes questions and answers from pods that stay.
func (dr *drain) takeBackQuestions(stage *Stage) {
	if dr.drainOnly {
		return
	}
	for _, p := range dr.view.replicas {
		dr.view.meter.work(partReplicas, 1)
		if p == nil || !p.hasNotes() {
			continue
		}
		var remove []string
		if p.answer() != "" {
			remove = append(remove, annotationDrainAnswer)
		}
		if p.request() != "" {
			remove = append(remove, annotationDrainRequest)
		}
		if len(remove) == 0 {
			continue
		}
		stage.plan(func(s *Step) {
			dr.out.emit(s, Action{Kind: KindPod, Name: p.Name, UID: p.UID, Op: PatchAnnotations{Remove: remove}, Cause: causeTakeBack}, "back")
		})
	}
}
