package engine

import (
	"fmt"
	"hash/fnv"
	"maps"
	"strconv"
	"strings"
	"time"

	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/policy"
	"github.com/setplan/setplan/engine/state"
)

const drainTemplate = `{"metadata":{"labels":{"app":"drainer"}},"spec":{"containers":[{"image":"drain:1","name":"drain"}]}}`

const webMark = "web/set-uid"

// draining is a set with a claim for each pod and a drain policy that covers the claims.
func draining(replicas int) *world {
	w := newWorld(replicas).withClaims()
	w.Set.Annotations = map[string]string{policy.DrainTemplate: drainTemplate}
	for i := range w.Claims {
		noteClaim(&w.Claims[i], state.AnnotationDrainSet, webMark)
	}
	return w
}

// scaledTo removes the replicas above n; their claims are left.
func (w *world) scaledTo(n int) *world {
	for i := n; i < int(w.Set.Replicas); i++ {
		w.without(fmt.Sprintf("web-%d", i))
	}
	w.Set.Replicas = int32(n)
	return w.settled()
}

// drainPod adds a drain pod for an ordinal and its claims, created a minute ago.
func (w *world) drainPod(ordinal int, phase model.PodPhase) *model.Pod {
	name := fmt.Sprintf("web-%d", ordinal)
	var uids []string
	for i := range w.Claims {
		if c := &w.Claims[i]; strings.HasSuffix(c.Name, "-"+name) {
			uids = append(uids, c.UID)
			markAttempted(c, max(1, state.DrainAttempts(c)))
			markBegun(c, noon.Add(-time.Minute))
		}
	}
	w.Pods = append(w.Pods, model.Pod{Name: name, UID: "drain-" + name, ResourceVersion: "1", PodStatus: model.PodStatus{Phase: phase, Ended: &model.PodEnded{}}, CreatedAt: noon.Add(-time.Minute),
		Labels: &model.Labels{Values: map[string]string{"app": "drainer"}}, Volumes: w.volumes(),
		Owners: []model.Owner{{APIVersion: "apps/v1", Kind: "StatefulSet", Name: "web", UID: "set-uid"}}})
	p := &w.Pods[len(w.Pods)-1]
	markDrains(p, uids...)
	return p
}

// note writes an annotation; an empty text removes it. Objects that share their annotations with this one keep theirs.
func noteOn(a *model.Annotations, name, text string) *model.Annotations {
	noted := &model.Annotations{Values: map[string]string{}}
	if a != nil {
		maps.Copy(noted.Values, a.Values)
	}
	if noted.Values[name] = text; text == "" {
		delete(noted.Values, name)
	}
	return noted
}

func notePod(p *model.Pod, name, text string)     { p.Annotations = noteOn(p.Annotations, name, text) }
func noteClaim(c *model.Claim, name, text string) { c.Annotations = noteOn(c.Annotations, name, text) }

// drains annotates a pod as a drain pod for these claims of the set.
func markDrains(p *model.Pod, uids ...string) {
	notePod(p, state.AnnotationDrainSet, webMark)
	notePod(p, state.AnnotationDrainClaims, strings.Join(uids, ","))
}

// questionOf is what a pod of a world is asked at a generation.
func questionOf(pod string, generation int) string {
	return fmt.Sprintf("%d-%s", generation, signOf("uid-"+pod))
}

// signOf is what every question to a pod ends in.
func signOf(uid string) string {
	h := fnv.New64a()
	h.Write([]byte(uid))
	return strconv.FormatUint(h.Sum64(), 36)
}

// asked annotates a replica with the question whether it may be deleted, and its answer.
func markAsked(p *model.Pod, request, answer string) {
	notePod(p, state.AnnotationDrainRequest, request)
	notePod(p, state.AnnotationDrainAnswer, answer)
}

// attempted annotates a claim with the number of its drain pods; 0 removes the annotation.
func markAttempted(c *model.Claim, n int32) {
	if noteClaim(c, state.AnnotationDrainAttempts, ""); n != 0 {
		noteClaim(c, state.AnnotationDrainAttempts, strconv.Itoa(int(n)))
	}
}

// begun annotates a claim with the creation time of its last drain pod; zero removes the annotation.
func markBegun(c *model.Claim, at time.Time) {
	if noteClaim(c, state.AnnotationDrainBegun, ""); !at.IsZero() {
		noteClaim(c, state.AnnotationDrainBegun, at.Format(time.RFC3339Nano))
	}
}

func (w *world) c(name string) *model.Claim {
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

// twoTemplates gives the set a second claim template, and every claim a second one beside it.
func (w *world) twoTemplates() *world {
	w.Set.ClaimTemplates = append(w.Set.ClaimTemplates, []byte(`{"metadata":{"name":"logs"},"spec":{}}`))
	for _, c := range append([]model.Claim(nil), w.Claims...) {
		noteClaim(w.claim("logs-"+strings.TrimPrefix(c.Name, "www-")), state.AnnotationDrainSet, state.DrainSetOfClaim(&c))
	}
	for i := range w.Pods {
		w.Pods[i].Volumes = []string{"www", "logs"}
	}
	return w
}

// going marks the set as being deleted, with these finalizers.
func (w *world) going(finalizers ...string) *world {
	w.Set.DeletedAt = noon
	w.Set.Finalizers = finalizers
	return w
}

func (w *world) emptiedOnDelete() *world {
	w.Set.Annotations[policy.DrainOnDelete] = "true"
	w.Set.Finalizers = []string{model.FinalizerDrain}
	return w
}
