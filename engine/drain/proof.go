package drain

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"strings"

	"github.com/setplan/setplan/engine/jsontree"
	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/state"
)

// A drain pod has succeeded when its containers have exited with 0. That does not say why: a program that exits with 0 on SIGTERM has
// succeeded even if somebody stopped it before it was done. Two things tell more:
//
//   - If a kubelet stops a pod itself, for lack of resources or because its node shuts down, the pod has the condition
//     DisruptionTarget, and can still succeed: SyncTerminatingPod (pkg/kubelet/kubelet.go, Kubernetes 1.36.3) computes the phase
//     again from the exit codes, and the Failed that the eviction asked for is lost.
//   - If the policy asks for a token, each container gets it in its environment and writes it as its termination message when it is
//     done. A container that was stopped before has not.
//
// The token need not be secret: whoever could read it could also write the pod's status. So it is computed from the drain pod's
// annotations, is the same for each attempt, and needs no memory. A
// termination message belongs to one run of one container (a file of its own, makeMounts in pkg/kubelet/kuberuntime/
// kuberuntime_container.go), so that of an earlier one proves nothing for a later one.

// tokenVariable is the environment variable that holds the token.
const tokenVariable = "SETPLAN_DRAIN_TOKEN"

// DrainToken is the token of a drain pod with this mark and these claims, each the text of an annotation.
func DrainToken(mark, claims string) string {
	h := sha256.New()
	io.WriteString(h, mark+"\n")
	io.WriteString(h, claims)
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// withToken puts the token into the environment of every container of a list, in place of what the template has there.
func (dr *Drain) withToken(containers jsontree.Value, token string) jsontree.Value {
	variable := jsontree.NewObject(jsontree.Member{Key: "name", Value: jsontree.NewString(tokenVariable)},
		jsontree.Member{Key: "value", Value: jsontree.NewString(token)})
	var out []jsontree.Value
	for _, c := range containers.Items() {
		var env []jsontree.Value
		for _, v := range c.Get("env").Items() {
			if v.Get("name").Text != tokenVariable {
				env = append(env, v)
			}
		}
		out = append(out, c.With("env", jsontree.NewArray(append(env, variable)...)))
	}
	return jsontree.NewArray(out...)
}

// hasDrained reports whether a drain pod has succeeded because it was done, and for no other reason.
func (dr *Drain) hasDrained(p *model.Pod) bool {
	if p.Phase != model.PodSucceeded {
		return false
	}
	if dr.Proof {
		given, back := dr.tokensBack(p)
		return given > 0 && back == given
	}
	return !p.Disrupted
}

// tokensBack counts the containers that were given the token, and those that have returned it. White space around it is ignored.
func (dr *Drain) tokensBack(p *model.Pod) (given, back int) {
	if p.Ended == nil {
		return 0, 0
	}
	token := dr.tokenOf(p)
	for _, message := range p.Ended.Messages {
		if given++; strings.TrimSpace(message) == token {
			back++
		}
	}
	return given, back
}

// tokenOf is the token that a drain pod was given. Pods that share their annotations share the token.
func (dr *Drain) tokenOf(p *model.Pod) string {
	token, known := dr.tokens[p.Annotations]
	if !known {
		if dr.tokens == nil {
			dr.tokens = map[*model.Annotations]string{}
		}
		token = DrainToken(state.DrainSetOf(p), state.DrainClaimsOf(p))
		dr.tokens[p.Annotations] = token
	}
	return token
}
