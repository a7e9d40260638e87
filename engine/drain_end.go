package engine

// endDrain deletes the claims that the pod has drained, and then the pod. Each goes by its uid, because a claim that came
// anew under the name is none of them, and by its resource version, so that one whose mark has been taken off meanwhile stays.
func (dr *drain) endDrain(step *Step, p *drainPlace, ours []*Claim) {
	for _, c := range ours {
		if dr.marked(c) && !dr.out.emit(step, Action{Kind: KindClaim, Name: c.Name, UID: c.UID, ResourceVersion: c.ResourceVersion, Op: DeleteClaim{},
			Cause: causeClaimDrained}) {
			return
		}
	}
	dr.deleteDrainPod(step, p.pod, causeDrainSucceeded)
}

func (dr *drain) cancelDrain(step *Step, pod *Pod, why Cause) {
	if pod.terminating() {
		dr.out.block(blockDrainPodGoes(pod))
		return
	}
	dr.deleteDrainPod(step, pod, why)
}

func (dr *drain) deleteDrainPod(step *Step, pod *Pod, why Cause) bool {
	return dr.out.emit(step, Action{Kind: KindPod, Name: pod.Name, UID: pod.UID, Op: DeletePod{}, Cause: why}, "drain")
}

// forgetDrain takes away what an earlier policy has left: drain pods, and the marks, so that a later policy does not
// drain what was left behind without one. The claims stay.
func (dr *drain) forgetDrain(stage *Stage) {
	for _, p := range dr.drainPods() {
		stage.plan(func(s *Step) { dr.cancelDrain(s, p, causeNoPolicy) })
	}
	for _, c := range dr.claimsOfThisName() {
		dr.view.meter.work(partDrain, 1)
		remove := append(attemptNotes(c), annotationDrainSet)
		stage.plan(func(s *Step) {
			dr.out.emit(s, Action{Kind: KindClaim, Name: c.Name, UID: c.UID, ResourceVersion: c.ResourceVersion,
				Op: PatchAnnotations{Remove: remove}, Cause: causeNotCovered}, "none")
		})
	}
}
