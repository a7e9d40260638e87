package engine

// endDrain deletes the claims that the pod has drained, and then the pod. It names the uid, because a claim recreated under the same name
// was not drained, and the resource version, so that a claim whose mark was removed meanwhile is kept.
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

// forgetDrain removes what an earlier policy has left: drain pods, and marks, so that a later policy does not drain what was left behind
// without one. The claims are kept.
func (dr *drain) forgetDrain(stage *Stage) {
	for _, p := range dr.drainPods() {
		stage.plan(func(s *Step) { dr.cancelDrain(s, p, causeNoPolicy) })
	}
	for _, c := range dr.claimsOfThisName() {
		remove := append(attemptNotes(c), annotationDrainSet)
		stage.plan(func(s *Step) {
			dr.out.emit(s, Action{Kind: KindClaim, Name: c.Name, UID: c.UID, ResourceVersion: c.ResourceVersion,
				Op: PatchAnnotations{Remove: remove}, Cause: causeNotCovered}, "none")
		})
	}
}
