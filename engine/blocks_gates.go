package engine

// blockGate is about a pod that is not deleted, or not the last one that is updated, until somebody agrees. annotation is of the pod; of is what
// the set asks for.
func blockGate(p *Pod, annotation string, of asked, revision string) Block {
	message := "The pod is waiting to be updated until " + short(of.text) + " agrees (" + of.name + ")."
	if annotation == annotationAfter {
		message = "The pod is updated. No other pod is updated in its place until " + short(of.text) + " agrees (" + of.name + ")."
	}
	return Block{Code: BlockUpdateGated, Severity: Wait, Kind: KindPod, Name: p.Name, Message: message,
		Remedy: "Whoever agrees sets the annotation on the pod: kubectl annotate --overwrite pod " + p.Name + " " + annotation + "=" + revision}
}
