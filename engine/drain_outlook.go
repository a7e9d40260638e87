package engine

// What a drain waits for from others.

// Drains reports whether a pod is a drain pod.
func (p *Pod) Drains() bool { return p.drainSet() != "" && p.drainClaims() != "" }

// DrainToken is what each container of a drain pod returns once it is done, where the policy asks for that.
func (p *Pod) DrainToken() string {
	return drainToken(p.drainSet(), p.drainClaims())
}

// Answer is the annotation by which a pod says that it may go; due is false for a pod that was not asked, or has answered.
func (p *Pod) Answer() (answer KeyValue, due bool) {
	question := p.request()
	return KeyValue{annotationDrainAnswer, question}, p.isAsked() && p.answer() != question
}
