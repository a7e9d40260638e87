//go:build e2e

package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	setplan "github.com/setplan/setplan/clients/go"

	"github.com/setplan/setplan/adapters"
	"github.com/setplan/setplan/adapters/kube"
	"github.com/setplan/setplan/adapters/snapshot"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
	"github.com/setplan/setplan/test/sim"
)

const (
	inPlace = "in place"
	another = "another pod"
	accepts = "accepts it"
	refuses = "refuses it"
)

// fieldRow is a change of a template: at edits both revisions, and to the second one. Where the planner asks for another pod although the API server would
// do it, the row says why.
type fieldRow struct {
	cell, planner, server, why string
	at, to                     []string
}

// changesFields makes each change of a pod: what the planner changes in place, the API server accepts, and the pod then shows what a new pod would; what it
// leaves to another pod is patched.
func (s *scene) changesFields(template string, rows []fieldRow, patch func(pod, before, after string) error, shows func(*corev1.Pod) string) {
	s.Helper()
	clients := must(kube.NewClients(s.config))(s)
	executor := kube.NewExecutor(kube.StatefulSets(), clients.API, nil)
	for i, row := range rows {
		before := strings.NewReplacer(row.at...).Replace(template)
		after := strings.NewReplacer(row.to...).Replace(before)
		if before == after {
			s.Errorf("%s: nothing changes", row.cell)
		}
		pod := s.podOf(fmt.Sprintf("web-%d", 2*i), before)
		changes, where := s.plannedInPlace(row.cell, pod, before, after)
		if where != row.planner {
			s.Errorf("%s: the planner says %s, want %s", row.cell, where, row.planner)
		}
		if row.planner == another {
			if err := patch(pod.Name, before, after); (err == nil) != (row.server == accepts) || err == nil && row.why == "" {
				s.Errorf("%s: the API server says %v, and it %s", row.cell, err, row.server)
			}
			continue
		}
		for _, change := range changes {
			if result := executor.Apply(context.Background(), adapters.Key{Namespace: s.namespace, Name: "web"}, change); result.Err != nil {
				s.Errorf("%s: %v", row.cell, result.Err)
			}
		}
		if got, want := shows(s.pod(pod.Name)), shows(s.podOf(fmt.Sprintf("web-%d", 2*i+1), after)); got != want {
			s.Errorf("%s: the pod has %s, and a new one has %s", row.cell, got, want)
		}
	}
}

// podOf makes a pod of a template, and of no set.
func (s *scene) podOf(name, template string) *corev1.Pod {
	s.Helper()
	pod := &corev1.Pod{}
	noError(s, json.Unmarshal([]byte(template), pod))
	pod.Name = name
	made, err := s.client.CoreV1().Pods(s.namespace).Create(context.Background(), pod, metav1.CreateOptions{})
	if err != nil {
		s.Fatalf("%s: %v", template, err)
	}
	return made
}

// plannedInPlace asks the planner what becomes of a pod of a set that keeps its pods, as that of one ordinal, where its template is to be another one: where that
// happens, and by which write, of its resources or of everything else. Nothing is to be written where only the text of resources differs.
func (s *scene) plannedInPlace(cell string, stored *corev1.Pod, before, after string) (writes []*setplanv1.Action, where string) {
	s.Helper()
	set := &unstructured.Unstructured{}
	text := `{"apiVersion":"apps/v1","kind":"StatefulSet","metadata":{"name":"web","namespace":"` + s.namespace + `","uid":"set","generation":2,"resourceVersion":"1",
		"annotations":{"setplan.io/in-place":"InPlaceOnly"}},"spec":{"replicas":1,"ordinals":{"start":` + strings.TrimPrefix(stored.Name, "web-") + `},"serviceName":"web","podManagementPolicy":"Parallel",
		"updateStrategy":{"type":"RollingUpdate"},"selector":{"matchLabels":{"app":"web"}},"template":` + after + `},"status":{"currentRevision":"web-old","replicas":1}}`
	noError(s, set.UnmarshalJSON([]byte(text)))
	whole := must(snapshot.FromUnstructured(set))(s)
	owner := []metav1.OwnerReference{{APIVersion: "apps/v1", Kind: "StatefulSet", Name: "web", UID: "set", Controller: new(true), BlockOwnerDeletion: new(true)}}
	revision := &appsv1.ControllerRevision{ObjectMeta: metav1.ObjectMeta{Name: "web-old", Namespace: s.namespace, UID: "old", Labels: map[string]string{"app": "web"}, OwnerReferences: owner},
		Data: runtime.RawExtension{Raw: []byte(`{"spec":{"template":{"$patch":"replace",` + before[1:] + `}}`)}, Revision: 1}
	pod := stored.DeepCopy()
	pod.OwnerReferences = owner
	metav1.SetMetaDataAnnotation(&pod.ObjectMeta, "setplan.io/in-place-update", "{}")
	maps.Copy(pod.Labels, map[string]string{"controller-revision-hash": "web-old", "statefulset.kubernetes.io/pod-name": pod.Name, "apps.kubernetes.io/pod-index": strings.TrimPrefix(pod.Name, "web-")})
	revisions := []*appsv1.ControllerRevision{revision}
	started := false
	for range 4 {
		shown := must(snapshot.Of(&snapshot.Objects{Set: whole, Pods: []*corev1.Pod{pod}, Revisions: revisions}, &setplanv1.Coverage{Pods: true, Claims: true, Revisions: true}, time.Now()))(s)
		answer, err := (&sim.Planner{}).Plan(context.Background(), &setplanv1.PlanRequest{Snapshot: shown, Capabilities: setplan.Capabilities()})
		if err != nil {
			s.Fatalf("%s: %v", cell, err)
		}
		if slices.ContainsFunc(answer.GetPlan().GetBlocks(), func(b *setplanv1.Block) bool {
			return b.GetCode() == setplanv1.BlockCode_BLOCK_CODE_UPDATE_NOT_IN_PLACE
		}) {
			return nil, another
		}
		startedBefore := started
		for _, stage := range answer.GetPlan().GetStages() {
			for _, step := range stage.GetSteps() {
				for _, action := range step.GetActions() {
					switch update := action.GetUpdatePod(); {
					case action.GetResizePod() != nil:
						return append(writes, action), inPlace
					case update != nil && (update.GetLabels()["controller-revision-hash"] != "" || len(update.GetContainers())+len(update.GetInitContainers()) > 0):
						return append(writes, action), inPlace
					case update != nil:
						started = true
						pod.Annotations = update.GetAnnotations()
					case action.GetCreateRevision() != nil:
						made := &appsv1.ControllerRevision{}
						noError(s, json.Unmarshal(action.GetCreateRevision().GetManifest(), made))
						made.UID = "new"
						revisions = append(revisions, made)
					}
				}
			}
		}
		if startedBefore {
			return nil, inPlace // nothing is to be written
		}
	}
	s.Fatalf("%s: the planner neither changes the pod nor says why not", cell)
	return nil, ""
}
