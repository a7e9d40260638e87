package drain

import (
	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/state"
)

// endDrain deletes the claims that the pod has drained, and then the pod. It names the uid, because a claim recreated under the same name
// was not drained, and the resource version, so that a claim whose mark was removed meanwhile is kept.
func (dr *Drain) endDrain(step *model.Step, p *drainPlace, ours []*model.Claim) {
	for _, c := range ours {
		if dr.marked(c) && !dr.out.Emit(step, model.Action{Kind: model.KindClaim, Name: c.Name, UID: c.UID, ResourceVersion: c.ResourceVersion, Op: model.DeleteClaim{},
			Cause: causeClaimDrained}) {
			return
		}
	}
	dr.deleteDrainPod(step, p.pod, causeDrainSucceeded)
}

func (dr *Drain) cancelDrain(step *model.Step, pod *model.Pod, why model.Cause) {
	if pod.Terminating() {
		dr.out.Block(blockDrainPodGoes(pod))
		return
	}
	dr.deleteDrainPod(step, pod, why)
}

func (dr *Drain) deleteDrainPod(step *model.Step, pod *model.Pod, why model.Cause) bool {
	return dr.out.Emit(step, model.Action{Kind: model.KindPod, Name: pod.Name, UID: pod.UID, Op: model.DeletePod{}, Cause: why}, "drain")
}

// forgetDrain removes what an earlier policy has left: drain pods, and marks, so that a later policy does not drain what was left behind
// without one. The claims are kept.
func (dr *Drain) forgetDrain(stage *model.Stage) {
	for _, p := range dr.drainPods() {
		stage.Add(func(s *model.Step) { dr.cancelDrain(s, p, causeNoPolicy) })
	}
	for _, c := range dr.claimsOfThisName() {
		remove := append(attemptNotes(c), state.AnnotationDrainSet)
		stage.Add(func(s *model.Step) {
			dr.out.Emit(s, model.Action{Kind: model.KindClaim, Name: c.Name, UID: c.UID, ResourceVersion: c.ResourceVersion,
				Op: model.PatchAnnotations{Remove: remove}, Cause: causeNotCovered}, "none")
		})
	}
}
