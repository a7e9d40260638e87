package engine

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"github.com/setplan/setplan/engine/jsontree"
)

// Success of a drain pod says that its containers ended with 0. It does not say why: a program that ends with 0 on SIGTERM
// has succeeded also where somebody stopped it in the middle. Two things tell more:
//
//   - Where a kubelet stops a pod itself, for want of resources or because its node shuts down, the pod has the condition
//     DisruptionTarget, and yet succeeds: SyncTerminatingPod (pkg/kubelet/kubelet.go, Kubernetes 1.36.3) computes the phase
//     anew from the exit codes, and the Failed that the eviction asked for is gone.
//   - Where the policy asks for a proof, each container gets a token in its environment, and leaves it as its termination
//     message when it is done. What was stopped in the middle has not.
//
// The token has to be known only to be right, not to be secret: who could read it could as well write the pod's status. So
// it follows from what the drain pod's annotations say, the same for each attempt, and needs nothing remembered. A
// termination message belongs to one run of one container (a file of its own, makeMounts in pkg/kubelet/kuberuntime/
// kuberuntime_container.go), so that of an earlier one proves nothing for a later one.

// tokenVariable is the environment variable that holds the token.
const tokenVariable = "SETPLAN_DRAIN_TOKEN"

// drainToken is the token of a drain pod with this mark and these claims, each the text of an annotation.
func drainToken(m *Meter, mark, claims string) string {
	h := sha256.New()
	var some [4096]byte // an annotation is long where somebody wants it to be
	write := func(text string) {
		for len(text) > 0 {
			n := copy(some[:], text)
			m.work(partDrain, 1+n/64)
			h.Write(some[:n])
			text = text[n:]
		}
	}
	write(mark)
	write("\n")
	write(claims)
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// withToken puts the token into the environment of every container of a list, in place of what the template has there.
func (dr *drain) withToken(containers jsontree.Value, token string) jsontree.Value {
	variable := jsontree.NewObject(jsontree.Member{Key: "name", Value: jsontree.NewString(tokenVariable)},
		jsontree.Member{Key: "value", Value: jsontree.NewString(token)})
	var out []jsontree.Value
	for _, c := range containers.Items() {
		dr.view.meter.work(partDrain, 1+len(c.Members()))
		var env []jsontree.Value
		for _, v := range c.Get("env").Items() {
			dr.view.meter.work(partDrain, 1)
			if v.Get("name").Text != tokenVariable {
				env = append(env, v)
			}
		}
		out = append(out, c.With("env", jsontree.NewArray(append(env, variable)...)))
	}
	return jsontree.NewArray(out...)
}

// hasDrained reports whether a drain pod has succeeded, and nothing but its being done can have made it so.
func (dr *drain) hasDrained(p *Pod) bool {
	if p.Phase != PodSucceeded {
		return false
	}
	if dr.proof {
		given, back := dr.tokensBack(p)
		return given > 0 && back == given
	}
	return !p.Disrupted
}

// tokensBack counts the containers that were given the token, and those that have handed it back. A shell that writes a
// line, and not just the token, has handed it back too.
func (dr *drain) tokensBack(p *Pod) (given, back int) {
	if p.Ended == nil {
		return 0, 0
	}
	token := dr.tokenOf(p)
	for _, message := range p.Ended.Messages {
		dr.view.meter.work(partPods, 1+len(message)/64)
		if given++; strings.TrimSpace(message) == token {
			back++
		}
	}
	return given, back
}

// tokenOf is the token that a drain pod was given. Pods that share their annotations share the token.
func (dr *drain) tokenOf(p *Pod) string {
	token, known := dr.tokens[p.Annotations]
	if !known {
		if dr.tokens == nil {
			dr.tokens = map[*Annotations]string{}
		}
		token = drainToken(dr.view.meter, p.drainSet(), p.drainClaims())
		dr.tokens[p.Annotations] = token
	}
	return token
}
