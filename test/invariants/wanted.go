package invariants

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"time"

	appsv1 "k8s.io/api/apps/v1"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
	"github.com/setplan/setplan/test/invariants/law"
	"github.com/setplan/setplan/test/sim"
)

// Wanted returns how the cluster differs from the spec of a set: its pods with their revisions and content, its claims and their owners,
// drains, the history, the status. It uses nothing that a planner said.
func Wanted(state sim.State, behavior setplanv1.Behavior, name string, now time.Time) error {
	r := read(state, name)
	if r == nil {
		return fmt.Errorf("the set does not exist, or has no spec")
	}
	w := &wanted{reading: r, behavior: behavior, now: now}
	for _, check := range []func() error{w.update, w.atRest, w.eachPod, w.eachClaim, w.history, w.status} {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

// atRest checks package law's invariants of rest.
func (w *wanted) atRest() error {
	set := (&viewer{behavior: w.behavior}).show(w.reading, w.now)
	set.Update = w.updated
	for _, invariant := range law.AtRest {
		if err := invariant.Holds(set); err != nil {
			return err
		}
	}
	return nil
}

type wanted struct {
	*reading
	behavior setplanv1.Behavior
	now      time.Time
	updated  string // the revision that has the template of the spec
}

// update finds the revision with the template. No revision of the set may have a higher number.
func (w *wanted) update() error {
	w.updated = w.updateRevision()
	if w.updated == "" {
		w.updated = w.set.Status.UpdateRevision
	}
	if !w.hasTemplate(w.updated) {
		return fmt.Errorf("no revision has the template")
	}
	own := w.revisions()
	for _, name := range own {
		if slices.Contains(own, w.updated) && w.state.Revision(name).Revision > w.state.Revision(w.updated).Revision {
			return fmt.Errorf("revision %s has the template, and %s is newer", w.updated, name)
		}
	}
	return nil
}

// eachPod: each pod has its revision's content, its identity and its claims.
func (w *wanted) eachPod() error {
	for ordinal, pod := range w.pods {
		if !w.selects(pod) {
			return fmt.Errorf("pod %s is the set's, and its selector does not match it", pod.Name)
		}
		at := revisionOf(pod)
		if why := unlike(pod, w.state.Revision(at), note{}); why != "" {
			return fmt.Errorf("pod %s does not run what its revision %s says: %s", pod.Name, at, why)
		}
		if pod.Labels[appsv1.StatefulSetPodNameLabel] != pod.Name || pod.Labels[appsv1.PodIndexLabel] != strconv.Itoa(ordinal) {
			return fmt.Errorf("pod %s lacks the labels of its identity", pod.Name)
		}
		if !slices.Contains(w.revisions(), at) {
			at = w.updated
		}
		for _, template := range w.templateNames() {
			has, wants := slices.Contains(sim.ClaimsOf(pod), template+"-"+pod.Name), !w.without(w.state.Revision(at), template)
			if has != wants {
				return fmt.Errorf("pod %s mounts its claim of %s: %t, its revision says %t", pod.Name, template, has, wants)
			}
		}
	}
	return nil
}

// history: beside the revisions in use there are no more than the limit, and one for each added claim template of which a claim goes with an owner.
func (w *wanted) history() error {
	used := map[string]bool{w.updated: true, w.set.Status.CurrentRevision: true}
	for _, pod := range w.pods {
		used[revisionOf(pod)], used[revisionAt(pod)] = true, true
	}
	old := 0
	for _, name := range w.revisions() {
		if !used[name] {
			old++
		}
	}
	if limit := w.spec.RevisionHistoryLimit; limit != nil && old > int(*limit)+w.addedThatGo() {
		return fmt.Errorf("%d revisions are not in use, and the limit is %d", old, *limit)
	}
	return nil
}

// status: every counter matches the pods.
func (w *wanted) status() error {
	have, want := w.set.Status, appsv1.StatefulSetStatus{ObservedGeneration: w.set.Generation, UpdateRevision: w.updated}
	want.CurrentRevision, want.CollisionCount, want.Conditions = have.CurrentRevision, have.CollisionCount, have.Conditions
	all := 0
	for _, pod := range w.pods {
		want.Replicas++
		if sim.IsReady(pod) {
			want.ReadyReplicas++
		}
		if w.available(pod, w.now) {
			want.AvailableReplicas++
		}
		if revisionOf(pod) == have.CurrentRevision {
			want.CurrentReplicas++
		}
		if revisionOf(pod) == w.updated {
			want.UpdatedReplicas++
			all++
		}
	}
	if !reflect.DeepEqual(have, want) {
		return fmt.Errorf("the status is %+v instead of %+v", have, want)
	}
	if complete := all == w.replicas && w.spec.UpdateStrategy.Type != "OnDelete"; complete && have.CurrentRevision != w.updated {
		return fmt.Errorf("all pods are at %s, and the current revision is %s", w.updated, have.CurrentRevision)
	}
	return nil
}

// templateOf returns the pod template in a revision, without the directive $patch.
func templateOf(revision *appsv1.ControllerRevision) json.RawMessage {
	var data struct {
		Spec struct {
			Template map[string]json.RawMessage `json:"template"`
		} `json:"spec"`
	}
	if json.Unmarshal(revision.Data.Raw, &data) != nil {
		return nil
	}
	delete(data.Spec.Template, "$patch")
	template, err := json.Marshal(data.Spec.Template)
	if err != nil {
		return nil
	}
	return template
}

// equalJSON compares as the API server stores: creationTimestamp is null or absent.
func equalJSON(a, b json.RawMessage) bool {
	var left, right map[string]any
	if json.Unmarshal(a, &left) != nil || json.Unmarshal(b, &right) != nil {
		return false
	}
	for _, tree := range []map[string]any{left, right} {
		if metadata, ok := tree["metadata"].(map[string]any); ok && metadata["creationTimestamp"] == nil {
			delete(metadata, "creationTimestamp")
		}
	}
	return reflect.DeepEqual(left, right)
}
