// Package crowd makes ordinary sets at rest, with everything that a controller would have made for them, for commands that
// measure many of them.
package crowd

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/setplan/setplan/adapters/snapshot"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
	"github.com/setplan/setplan/server"
	"github.com/setplan/setplan/server/codec"
)

// Belongings are what a controller makes for a set.
type Belongings struct {
	Revision *appsv1.ControllerRevision
	Pods     []*corev1.Pod
}

// Maker makes belongings as the planner plans them, which is what either controller makes.
type Maker struct{ planner *server.Service }

// NewMaker returns a Maker with a planner of its own.
func NewMaker() *Maker {
	return &Maker{server.NewService(server.ServiceOptions{Log: slog.New(slog.DiscardHandler)})}
}

// Make makes what a new set needs. The set is as the API server has stored it.
func (m *Maker) Make(ctx context.Context, set *appsv1.StatefulSet) (*Belongings, error) {
	request, err := Request(set, &Belongings{})
	if err != nil {
		return nil, err
	}
	request.Snapshot.Set.PodManagementPolicy = string(appsv1.ParallelPodManagement) // all pods in one plan
	response, err := m.planner.Plan(ctx, request)
	if err != nil {
		return nil, err
	}
	b := &Belongings{}
	for _, stage := range response.GetPlan().GetStages() {
		for _, step := range stage.GetSteps() {
			for _, action := range step.GetActions() {
				if err := b.add(action); err != nil {
					return nil, err
				}
			}
		}
	}
	if b.Revision == nil || len(b.Pods) != int(*set.Spec.Replicas) {
		return nil, fmt.Errorf("the plan of %s makes %d of %d pods, revision %t", set.Name, len(b.Pods), *set.Spec.Replicas, b.Revision != nil)
	}
	return b, nil
}

func (b *Belongings) add(action *setplanv1.Action) error {
	switch {
	case action.GetCreateRevision() != nil:
		b.Revision = &appsv1.ControllerRevision{}
		return json.Unmarshal(action.GetCreateRevision().GetManifest(), b.Revision)
	case action.GetCreatePod() != nil:
		pod := &corev1.Pod{}
		b.Pods = append(b.Pods, pod)
		return json.Unmarshal(action.GetCreatePod().GetManifest(), pod)
	}
	return nil
}

// Request is an adapter's request for a set with these belongings.
func Request(set *appsv1.StatefulSet, b *Belongings) (*setplanv1.PlanRequest, error) {
	spec, err := json.Marshal(set.Spec)
	if err != nil {
		return nil, err
	}
	objects := &snapshot.Objects{Pods: b.Pods, Set: &snapshot.Set{
		TypeMeta:   metav1.TypeMeta{APIVersion: appsv1.SchemeGroupVersion.String(), Kind: "StatefulSet"},
		ObjectMeta: set.ObjectMeta, Spec: spec, Status: set.Status,
	}}
	if b.Revision != nil {
		objects.Revisions = []*appsv1.ControllerRevision{b.Revision}
	}
	s, err := snapshot.Of(objects, &setplanv1.Coverage{Pods: true, Claims: true, Revisions: true}, time.Now())
	if err != nil {
		return nil, err
	}
	return &setplanv1.PlanRequest{Snapshot: s, Capabilities: codec.Capabilities()}, nil
}

// Status is the status of a set whose pods are all ready.
func Status(set *appsv1.StatefulSet, revision string) appsv1.StatefulSetStatus {
	all := *set.Spec.Replicas
	return appsv1.StatefulSetStatus{ObservedGeneration: set.Generation, CurrentRevision: revision, UpdateRevision: revision,
		Replicas: all, ReadyReplicas: all, AvailableReplicas: all, CurrentReplicas: all, UpdatedReplicas: all, CollisionCount: new(int32)}
}

// Ready is the status of a pod that has been ready since a time.
func Ready(since time.Time) corev1.PodStatus {
	at := metav1.NewTime(since)
	status := corev1.PodStatus{Phase: corev1.PodRunning, StartTime: &at, HostIP: "10.127.0.1", PodIP: "10.128.0.1"}
	for _, condition := range []corev1.PodConditionType{corev1.PodScheduled, corev1.PodInitialized, corev1.PodReady, corev1.ContainersReady} {
		status.Conditions = append(status.Conditions, corev1.PodCondition{Type: condition, Status: corev1.ConditionTrue, LastTransitionTime: at})
	}
	return status
}
