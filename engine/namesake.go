package engine

// A namesake is an object of this set's name and of another kind that runs StatefulSets too: web of apps/v1 beside web of our own kind.
// Kubernetes keeps names apart within one kind only, so nothing stops a user from making both, and both call their pods and claims
// alike. Then nobody can tell whose data is in a claim: a pod that is missing would be made on the other one's data, and the claim would go
// with whichever set is deleted first. So while a namesake has pods, this set stands still. It touches no pod, drains nothing, and takes its
// references off the claims.
//
// A set that is being moved to another kind is paused until the old one is gone, and a paused set does none of this anyway.

// readNamesake finds a namesake by its pods; of several the one with the lowest name is told.
func readNamesake(v *view, out *draft) {
	if v.paused == pauseAll || v.deleting() && !v.hasDrainFinalizer() {
		return
	}
	v.meter.work(partPods, len(v.s.Pods))
	var pod *Pod
	var nobodys *Owner // where the list begins that was read last; pods share them
	for i := range v.s.Pods {
		p := &v.s.Pods[i]
		if len(p.Owners) == 0 || &p.Owners[0] == nobodys {
			continue
		}
		controller := v.controllerOf(p.Owners)
		if controller == nil || !v.hasOurName(controller) {
			nobodys = &p.Owners[0]
		} else if v.isOfNamesake(p) && (pod == nil || p.Name < pod.Name) {
			pod, v.namesake = p, controller
		}
	}
	if v.standsStill() && v.s.Policy.wholeSet() { // else the block of the drain says so: what another controller does, it does
		out.block(blockNamesake(pod, v.namesake))
	}
}

// isOfNamesake reports whether a namesake controls a pod. Kinds that run sets need not be called like ours or like apps/v1's, but their pods
// have the label that no ReplicaSet, DaemonSet or Job gives: it is the pod's own name.
func (v *view) isOfNamesake(p *Pod) bool {
	c := v.controllerOf(p.Owners)
	if c == nil || !v.hasOurName(c) || !p.PodNameLabel && !v.isNamesake(c) {
		return false
	}
	parent, _, canonical, ok := parseMember(p.Name)
	return ok && canonical && parent == v.set.Name
}
