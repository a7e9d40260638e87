package engine

import (
	"fmt"
	"strings"
	"time"
)

const drainTemplate = `{"metadata":{"labels":{"app":"drainer"}},"spec":{"containers":[{"image":"drain:1","name":"drain"}]}}`

const webMark = "web/set-uid"

// draining is a set with a claim for each pod and a drain policy that covers them.
func draining(replicas int) *world {
	w := newWorld(replicas).withClaims()
	w.Drain = &Drain{PodTemplate: []byte(drainTemplate)}
	for i := range w.Claims {
		w.Claims[i].DrainSet = webMark
	}
	return w
}

// scaledTo takes the replicas above n away; what is left of them are their claims.
func (w *world) scaledTo(n int) *world {
	for i := n; i < int(w.Set.Replicas); i++ {
		w.without(fmt.Sprintf("web-%d", i))
	}
	w.Set.Replicas = int32(n)
	return w.settled()
}

// drainPod adds the drain pod of an ordinal, on the claims that it has, begun a minute ago.
func (w *world) drainPod(ordinal int, phase PodPhase) *Pod {
	name := fmt.Sprintf("web-%d", ordinal)
	var uids []string
	for i := range w.Claims {
		if c := &w.Claims[i]; strings.HasSuffix(c.Name, "-"+name) {
			uids = append(uids, c.UID)
			c.DrainAttempts, c.DrainBegunAt = max(1, c.DrainAttempts), noon.Add(-time.Minute)
		}
	}
	w.Pods = append(w.Pods, Pod{Name: name, UID: "drain-" + name, ResourceVersion: "1", Phase: phase, CreatedAt: noon.Add(-time.Minute),
		Labels: &Labels{Values: map[string]string{"app": "drainer"}}, Volumes: w.volumes(),
		Owners: []Owner{{APIVersion: "apps/v1", Kind: "StatefulSet", Name: "web", UID: "set-uid"}},
		Drain:  &PodDrain{Set: webMark, Claims: uids}})
	return &w.Pods[len(w.Pods)-1]
}

func (w *world) c(name string) *Claim {
	for i := range w.Claims {
		if w.Claims[i].Name == name {
			return &w.Claims[i]
		}
	}
	panic("no claim " + name)
}

// withoutClaim removes a claim.
func (w *world) withoutClaim(name string) *world {
	for i := range w.Claims {
		if w.Claims[i].Name == name {
			w.Claims = append(w.Claims[:i], w.Claims[i+1:]...)
			return w
		}
	}
	panic("no claim " + name)
}

// twoTemplates gives the set a second claim template and every claim a sibling.
func (w *world) twoTemplates() *world {
	w.Set.ClaimTemplates = append(w.Set.ClaimTemplates, []byte(`{"metadata":{"name":"logs"},"spec":{}}`))
	for _, c := range append([]Claim(nil), w.Claims...) {
		w.claim("logs-" + strings.TrimPrefix(c.Name, "www-")).DrainSet = c.DrainSet
	}
	for i := range w.Pods {
		w.Pods[i].Volumes = []string{"www", "logs"}
	}
	return w
}

// going has the set deleted, with the finalizers that are given.
func (w *world) going(finalizers ...string) *world {
	w.Set.DeletedAt = noon
	w.Set.Finalizers = finalizers
	return w
}

func (w *world) emptiedOnDelete() *world {
	w.Drain.OnDelete = "true"
	w.Set.Finalizers = []string{finalizerDrain}
	return w
}
