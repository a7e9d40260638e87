package engine

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/setplan/setplan/engine/jsontree"
	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/podtemplate"
)

// patchOf is the data of a revision: what it says of claim templates, and the pod template.
func patchOf(template jsontree.Value, claims []jsontree.Member) []byte {
	return podtemplate.WithTemplate(podtemplate.SayingOf(claims), template)
}

// hashOf is the hash in the name of the revision that holds this data.
func hashOf(data []byte, collisions int32) string {
	return podtemplate.HashAfter(podtemplate.FNV1(podtemplate.FNVOffset, data), collisions)
}

// noon is the time of every test.
var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

const template = `{"metadata":{"labels":{"app":"web"}},"spec":{"containers":[{"image":"web:1","name":"web"}]}}`

var webLabels = &model.Labels{Values: map[string]string{"app": "web"}}

// world is a snapshot under construction. Its methods change it and return it, so that a table row reads as a sentence.
type world struct{ model.Snapshot }

// newWorld is a set "web" whose replicas all have running, ready and available pods at its only revision.
func newWorld(replicas int) *world {
	w := &world{model.Snapshot{ObservedAt: noon, Coverage: model.Coverage{Pods: true, Claims: true, Revisions: true}, Rules: model.Setplan(), Capabilities: model.AllCapabilities}}
	w.Set = model.Set{Object: model.Object{APIVersion: "apps/v1", Kind: "StatefulSet", Namespace: "default", Name: "web", UID: "set-uid", Generation: 1},
		Spec: model.Spec{Replicas: int32(replicas), Selector: model.Selector{MatchLabels: map[string]string{"app": "web"}}, ServiceName: "web",
			RollingUpdate: &model.RollingUpdate{}, RevisionHistoryLimit: 10}, PodTemplate: []byte(template)}
	w.revision(1, template)
	for i := range replicas {
		w.pod(i)
	}
	return w.settled()
}

// settled stores the status that the pods call for, so that a plan is about other things.
func (w *world) settled() *world {
	plan := Decide(&w.Snapshot)
	for _, stage := range plan.Stages {
		for _, step := range stage.Steps {
			for _, a := range step.Actions {
				if op, ok := a.Op.(model.UpdateStatus); ok {
					w.Set.Status = op.Status
				}
			}
		}
	}
	return w
}

func (w *world) owners() []model.Owner {
	return []model.Owner{{APIVersion: "apps/v1", Kind: "StatefulSet", Name: "web", UID: "set-uid", Controller: true, BlockOwnerDeletion: true}}
}

// revision stores a template as the set's next revision.
func (w *world) revision(number int64, template string) string {
	tree := mustTree(template)
	data := patchOf(tree, nil)
	hash := hashOf(data, 0)
	name := podtemplate.RevisionName("web", hash)
	w.Revisions = append(w.Revisions, model.Revision{Name: name, UID: "uid-" + name, ResourceVersion: "1", Number: number,
		Owners: w.owners(), Labels: map[string]string{"app": "web", model.LabelHash: hash}, CreatedAt: noon.Add(-time.Hour), Data: data})
	return name
}

// pod adds a healthy pod at the newest revision.
func (w *world) pod(ordinal int) *model.Pod {
	name := fmt.Sprintf("web-%d", ordinal)
	w.Pods = append(w.Pods, model.Pod{Name: name, UID: "uid-" + name, ResourceVersion: "1", PodStatus: model.PodStatus{Phase: model.PodRunning, Ready: true,
		ReadyChangedAt: noon.Add(-time.Hour)}, CreatedAt: noon.Add(-2 * time.Hour), Labels: webLabels, Owners: w.owners(),
		Revision: w.Revisions[len(w.Revisions)-1].Name, PodNameLabel: true, PodIndexLabel: true, Volumes: w.volumes()})
	return &w.Pods[len(w.Pods)-1]
}

func (w *world) volumes() []string {
	if len(w.Set.ClaimTemplates) == 0 {
		return nil
	}
	return []string{"www"}
}

// withClaims gives the set a claim template and every pod its bound claim.
func (w *world) withClaims() *world {
	w.Set.ClaimTemplates = [][]byte{[]byte(`{"metadata":{"name":"www"},"spec":{"accessModes":["ReadWriteOnce"]}}`)}
	for i := range w.Pods {
		w.Pods[i].Volumes = []string{"www"}
		w.claim("www-" + w.Pods[i].Name)
	}
	return w
}

func (w *world) claim(name string) *model.Claim {
	w.Claims = append(w.Claims, model.Claim{Name: name, UID: "uid-" + name, ResourceVersion: "1", Phase: model.ClaimBound})
	return &w.Claims[len(w.Claims)-1]
}

func (w *world) p(name string) *model.Pod {
	for i := range w.Pods {
		if w.Pods[i].Name == name {
			return &w.Pods[i]
		}
	}
	panic("no pod " + name)
}

// without removes a pod.
func (w *world) without(name string) *world {
	for i := range w.Pods {
		if w.Pods[i].Name == name {
			w.Pods = append(w.Pods[:i], w.Pods[i+1:]...)
			return w
		}
	}
	panic("no pod " + name)
}

// image gives the set a template with this image.
func (w *world) image(image string) *world {
	w.Set.PodTemplate = []byte(strings.Replace(template, "web:1", image, 1))
	w.Set.Generation++
	return w
}

// asks annotates the set.
func (w *world) asks(annotation, value string) *world {
	if w.Set.Annotations == nil {
		w.Set.Annotations = map[string]string{}
	}
	w.Set.Annotations[annotation] = value
	return w
}

func (w *world) parallel() *world { w.Set.PodManagementPolicy = "Parallel"; return w }

// actions lists what a plan does, except status and history, as "verb name".
func actions(p *model.Plan) string {
	var list []string
	for _, stage := range p.Stages {
		if stage.Phase == model.PhaseStatus {
			continue
		}
		for _, step := range stage.Steps {
			for _, a := range step.Actions {
				list = append(list, a.Op.Traits().Name+" "+a.Name)
			}
		}
	}
	return strings.Join(list, ", ")
}

// blocks lists what a plan holds back, as "CODE name".
func blocks(p *model.Plan) string {
	var list []string
	for _, b := range p.Blocks {
		list = append(list, b.Code.String()+" "+b.Name)
	}
	return strings.Join(list, ", ")
}

func status(p *model.Plan) *model.Status {
	for _, stage := range p.Stages {
		for _, step := range stage.Steps {
			for _, a := range step.Actions {
				if op, ok := a.Op.(model.UpdateStatus); ok {
					return &op.Status
				}
			}
		}
	}
	return nil
}

func check(t *testing.T, reason, what, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%s\n%s: %s\n%*s: %s", reason, what, got, len(what), "want", want)
	}
}

func sortedBlocks(p *model.Plan) string { return sortedText(blocks(p)) }

func sortedText(list string) string {
	parts := strings.Split(list, ", ")
	slices.Sort(parts)
	return strings.Join(parts, ", ")
}
