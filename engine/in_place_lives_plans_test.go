package engine

import (
	"fmt"
	"slices"

	"github.com/setplan/setplan/engine/inplace"
	"github.com/setplan/setplan/engine/jsontree"
	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/policy"
)

func (l *life) version(p *model.Pod) {
	l.versions++
	p.ResourceVersion = fmt.Sprint("v", l.versions)
}

// plan decides on a snapshot and carries out some of its actions.
func (l *life) plan(s *model.Snapshot, most int) {
	p := Decide(s)
	if s == &l.Snapshot {
		l.takesFew(p)
	}
	for _, stage := range p.Stages {
		failed := false
		for _, step := range stage.Steps {
			for i := range step.Actions {
				if most == 0 {
					return
				}
				if most--; !l.carryOut(&step.Actions[i]) {
					failed = true
					break
				}
			}
		}
		if failed && stage.OnFailure != model.SkipPhase {
			return
		}
	}
	if len(p.Stages) == 0 && p.Converged && s == &l.Snapshot && l.Set.Annotations[policy.InPlace] != "" && l.wrong == "" {
		for i := range l.Pods {
			if q := &l.Pods[i]; q.Annotations.Get(inplace.AnnotationUpdate) != "" && q.Annotations.Get(inplace.AnnotationUpdate) != inplace.NothingUnderWay {
				l.wrong = q.Name + " is on its way, and the plan is called converged"
			}
		}
	}
}

// restarts reports whether an operation starts containers anew.
func restarts(op model.Operation) bool {
	update, is := op.(model.UpdatePod)
	return is && len(update.Containers)+len(update.InitContainers) > 0
}

// takesFew: a plan on what is so takes no pod that is ready while another one is not, whatever is under way in it.
func (l *life) takesFew(p *model.Plan) {
	ready, away := 0, 3-len(l.Pods)
	for i := range l.Pods {
		q := &l.Pods[i]
		taken := slices.ContainsFunc(allActions(p), func(a model.Action) bool { return a.UID == q.UID && (a.Op.Traits().Destructive || restarts(a.Op)) })
		switch {
		case !q.Ready:
			away++
		case taken:
			ready++
		}
	}
	if ready > 0 && ready+away > 1 {
		l.wrong = fmt.Sprintf("%d are away, and %d more are taken: %s", away, ready, Describe(p))
	}
}

// carryOut carries out an action, if its preconditions hold.
func (l *life) carryOut(a *model.Action) bool {
	switch op := a.Op.(type) {
	case model.CreateRevision:
		tree, _ := jsontree.Parse(op.Manifest)
		l.Revisions = append(l.Revisions, model.Revision{Name: a.Name, UID: "uid-" + a.Name, ResourceVersion: "1", Owners: l.owners(), CreatedAt: l.ObservedAt,
			Labels: jsontree.Strings(tree.Get("metadata").Get("labels")), Data: jsontree.Append(nil, tree.Get("data")), Number: l.nextNumber()})
		return true
	case model.RenumberRevision:
		for i := range l.Revisions {
			if l.Revisions[i].Name == a.Name {
				l.Revisions[i].Number = op.Number
			}
		}
		return true
	case model.DeleteRevision:
		l.Revisions = slices.DeleteFunc(l.Revisions, func(r model.Revision) bool { return r.Name == a.Name })
		return true
	case model.UpdateStatus:
		l.Set.Status = op.Status
		return true
	case model.CreatePod:
		return l.create(a, op)
	}
	i := slices.IndexFunc(l.Pods, func(p model.Pod) bool {
		return p.Name == a.Name && p.UID == a.UID && (a.ResourceVersion == "" || a.ResourceVersion == p.ResourceVersion)
	})
	if i < 0 {
		return false
	}
	p := &l.Pods[i]
	l.tell("%s %s%s", a.Op.Traits().Name, a.Name, detailOf(a.Op))
	switch op := a.Op.(type) {
	case model.DeletePod:
		delete(l.kubelets, p.UID)
		l.Pods = slices.Delete(l.Pods, i, i+1)
		return true
	case model.PatchAnnotations:
		l.answers(op.Set[0].Key, op.Set[0].Value, a.Name)
	case model.UpdatePod:
		l.update(p, op)
	default:
		l.wrong = "an action that no life has: " + a.Op.Traits().Name
	}
	l.show(p)
	l.version(p)
	return true
}

func (l *life) nextNumber() (n int64) {
	for _, r := range l.Revisions {
		n = max(n, r.Number)
	}
	return n + 1
}

func (l *life) create(a *model.Action, op model.CreatePod) bool {
	if slices.ContainsFunc(l.Pods, func(p model.Pod) bool { return p.Name == a.Name }) {
		return false
	}
	tree, _ := jsontree.Parse(op.Manifest)
	l.versions++
	p := model.Pod{Name: a.Name, UID: fmt.Sprint("uid-", l.versions), PodStatus: model.PodStatus{Phase: model.PodPending}, CreatedAt: l.ObservedAt, Labels: webLabels, Owners: l.owners(),
		Revision: tree.Get("metadata").Get("labels").Get(model.LabelRevision).Text, PodNameLabel: true, PodIndexLabel: true}
	l.specs[p.UID] = &podSpec{images: imagesOfTemplate(tree), generation: 1}
	l.kubelets[p.UID] = &kubelet{runs: map[string]model.Container{}, changed: l.ObservedAt}
	l.version(&p)
	l.Pods = append(l.Pods, p)
	l.tell("create %s at %s", p.Name, p.Revision)
	return true
}

// imagesOfTemplate are the images of all that goes on running.
func imagesOfTemplate(tree jsontree.Value) map[string]string {
	images := map[string]string{}
	for _, list := range []string{"containers", "initContainers"} {
		for _, c := range tree.Get("spec").Get(list).Items() {
			if c.Get("name").Text != "init" {
				images[c.Get("name").Text] = c.Get("image").Text
			}
		}
	}
	return images
}

// update is an update in place. Whoever says that a pod is at a revision has to be right.
func (l *life) update(p *model.Pod, op model.UpdatePod) {
	spec, k := l.specs[p.UID], l.kubelets[p.UID]
	for _, list := range [][]model.ContainerImage{op.Containers, op.InitContainers} {
		for _, c := range list {
			if c.Name != "init" {
				spec.images[c.Name] = c.Image
			}
		}
	}
	if len(op.Containers)+len(op.InitContainers) > 0 {
		spec.generation++
		k.changed = l.ObservedAt
	}
	for _, label := range op.Labels {
		if label.Key == model.LabelRevision {
			p.Revision = label.Value
		}
	}
	for _, note := range op.Annotations {
		l.answers(note.Key, note.Value, p.Name)
		if note.Value == inplace.NothingUnderWay {
			l.isTrue(p, k)
		}
	}
}
