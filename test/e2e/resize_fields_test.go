//go:build e2e

package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"

	setplan "github.com/setplan/setplan/clients/go"

	"github.com/setplan/setplan/adapters"
	"github.com/setplan/setplan/adapters/kube"
	"github.com/setplan/setplan/adapters/sim"
	"github.com/setplan/setplan/adapters/snapshot"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// sizedSpec is the spec of a pod whose resources the rows change. Nobody schedules it: containers that run would need a kubelet.
const sizedSpec = `{"schedulerName":"nobody","initContainers":[{"name":"init","image":"registry.example/init:1"},
{"name":"proxy","image":"registry.example/proxy:1","restartPolicy":"Always","resources":{"requests":{"cpu":"50m"}}}],
"containers":[{"name":"web","image":"registry.example/web:1","resizePolicy":[{"resourceName":"cpu","restartPolicy":"NotRequired"},{"resourceName":"memory","restartPolicy":"NotRequired"}],
"resources":{"limits":{"cpu":"1","memory":"1Gi"},"requests":{"cpu":"1","memory":"1Gi"}}},{"name":"log","image":"registry.example/log:1"}]}`

// alone makes web the only container, so that the pod is Guaranteed.
var alone = []string{`,{"name":"log","image":"registry.example/log:1"}`, ``, `"initContainers":[{"name":"init","image":"registry.example/init:1"},
{"name":"proxy","image":"registry.example/proxy:1","restartPolicy":"Always","resources":{"requests":{"cpu":"50m"}}}],
`, ``}

const (
	inPlace = "in place"
	another = "another pod"
	accepts = "accepts it"
	refuses = "refuses it"
)

// TestResizeFields: what the planner changes in place, the API server accepts, and the pod then has what a new pod would have; and what the API server
// refuses, the planner leaves to another pod. at edits both revisions, and to the second one. Where the planner asks for another pod although the API server
// would do it, the row says why.
func TestResizeFields(t *testing.T) {
	t.Parallel()
	s := newScene(t, shared.cluster)
	clients, err := kube.NewClients(s.config)
	if err != nil {
		t.Fatal(err)
	}
	executor := kube.NewExecutor(kube.StatefulSets(), clients.API, nil)
	for i, row := range []struct {
		cell, planner, server, why string
		at, to                     []string
	}{
		{"a limit goes up", inPlace, accepts, "", nil, []string{`"limits":{"cpu":"1","memory":"1Gi"}`, `"limits":{"cpu":"1","memory":"2Gi"}`}},
		{"a request goes down", inPlace, accepts, "", nil, []string{`"requests":{"cpu":"1"`, `"requests":{"cpu":"250m"`}},
		{"all four", inPlace, accepts, "", nil, []string{`"cpu":"1"`, `"cpu":"2"`, `"1Gi"`, `"512Mi"`}},
		{"all four of a Guaranteed pod", inPlace, accepts, "", alone, []string{`"cpu":"1"`, `"cpu":"2"`, `"1Gi"`, `"512Mi"`}},
		{"a limit, and the request that comes from it", inPlace, accepts, "", []string{`"requests":{"cpu":"1","memory":"1Gi"}`, `"requests":{}`}, []string{`"cpu":"1"`, `"cpu":"2"`}},
		{"a request that is left out, and was less", inPlace, accepts, "", []string{`"requests":{"cpu":"1"`, `"requests":{"cpu":"250m"`}, []string{`"requests":{"cpu":"250m",`, `"requests":{`}},
		{"other texts of the same", inPlace, accepts, "", nil, []string{`"cpu":"1"`, `"cpu":"1000m"`, `"1Gi"`, `"1024Mi"`}},
		{"numbers", inPlace, accepts, "", nil, []string{`"cpu":"1"`, `"cpu":2`, `"memory":"1Gi"`, `"memory":1.5e9`}},
		{"a request is added", inPlace, accepts, "", nil, []string{`"registry.example/log:1"`, `"registry.example/log:1","resources":{"requests":{"cpu":"10m"}}`}},
		{"a limit is added, and a request with it", inPlace, accepts, "", nil, []string{`"registry.example/log:1"`, `"registry.example/log:1","resources":{"limits":{"memory":"64Mi"}}`}},
		{"a sidecar", inPlace, accepts, "", nil, []string{`"50m"`, `"60m"`}},
		{"by a restart", inPlace, accepts, "", []string{`"NotRequired"`, `"RestartContainer"`}, []string{`"cpu":"1"`, `"cpu":"2"`}},
		{"zero is added to a BestEffort pod", inPlace, accepts, "", append([]string{`"limits":{"cpu":"1","memory":"1Gi"},"requests":{"cpu":"1","memory":"1Gi"}`, ``}, alone...),
			[]string{`"resources":{}`, `"resources":{"requests":{"cpu":"0"}}`}},

		{"a limit is gone", another, refuses, "", nil, []string{`"limits":{"cpu":"1",`, `"limits":{`}},
		{"a request is gone", another, refuses, "", []string{`"limits":{"cpu":"1",`, `"limits":{`}, []string{`"requests":{"cpu":"1",`, `"requests":{`}},
		{"Guaranteed becomes Burstable", another, refuses, "", alone, []string{`"limits":{"cpu":"1"`, `"limits":{"cpu":"2"`}},
		{"BestEffort becomes Burstable", another, refuses, "", append([]string{`"limits":{"cpu":"1","memory":"1Gi"},"requests":{"cpu":"1","memory":"1Gi"}`, ``}, alone...),
			[]string{`"resources":{}`, `"resources":{"requests":{"cpu":"1"}}`}},
		{"resizePolicy", another, refuses, "", nil, []string{`"NotRequired"`, `"RestartContainer"`}},
		{"a disk", another, refuses, "", nil, []string{`"limits":{"cpu":"1"`, `"limits":{"ephemeral-storage":"1Gi","cpu":"1"`}},
		{"huge pages", another, refuses, "", nil, []string{`"memory":"1Gi"`, `"memory":"1Gi","hugepages-2Mi":"2Mi"`}},
		{"another resource", another, refuses, "", nil, []string{`"limits":{"cpu":"1"`, `"limits":{"example.com/gpu":"1","cpu":"1"`}},
		{"Windows", another, refuses, "", []string{`"schedulerName"`, `"os":{"name":"windows"},"schedulerName"`}, []string{`"cpu":"1"`, `"cpu":"2"`}},
		{"no quantity", another, refuses, "", nil, []string{`"limits":{"cpu":"1"`, `"limits":{"cpu":"much"`}},
		{"less than nothing", another, refuses, "", nil, []string{`"limits":{"cpu":"1"`, `"limits":{"cpu":"-1"`}},
		{"another container stands there", another, refuses, "", nil, []string{`"name":"log"`, `"name":"logs"`, `"cpu":"1"`, `"cpu":"2"`}},
		{"a container is added", another, refuses, "", nil, []string{`{"name":"log"`, `{"name":"new","image":"registry.example/new:1"},{"name":"log"`, `"cpu":"1"`, `"cpu":"2"`}},

		{"a request of zero", another, accepts, "the kubelet goes on to tell of the one that was there", nil, []string{`"requests":{"cpu":"1"`, `"requests":{"cpu":"0"`}},
		{"a fraction of a byte", another, accepts, "the kubelet never says that it is there", nil, []string{`"memory":"1Gi"`, `"memory":"1.3Gi"`}},
		{"a plain init container", another, accepts, "it runs when a pod is made; before 1.36 it is refused", []string{`"registry.example/init:1"`, `"registry.example/init:1","resources":{"requests":{"cpu":"20m"}}`},
			[]string{`"20m"`, `"30m"`}},
		{"resources of the pod", another, accepts, "they are beta in 1.36", []string{`"schedulerName"`, `"resources":{"limits":{"cpu":"4"}},"schedulerName"`}, []string{`"cpu":"4"`, `"cpu":"5"`}},
		{"of a container in a pod that has resources", another, accepts, "the same", []string{`"schedulerName"`, `"resources":{"limits":{"cpu":"4"}},"schedulerName"`},
			[]string{`"limits":{"cpu":"1"`, `"limits":{"cpu":"2"`}},
	} {
		before := strings.NewReplacer(row.at...).Replace(sizedSpec)
		after := strings.NewReplacer(row.to...).Replace(before)
		if before == after {
			t.Errorf("%s: nothing changes", row.cell)
		}
		pod := s.sizedPod(fmt.Sprintf("web-%d", 2*i), before)
		changes, where := s.plannedResize(row.cell, pod, before, after)
		if where != row.planner {
			t.Errorf("%s: the planner says %s, want %s", row.cell, where, row.planner)
		}
		if row.planner == another {
			body := []byte(`{"spec":` + after + `}`)
			_, err := s.client.CoreV1().Pods(s.namespace).Patch(context.Background(), pod.Name, types.MergePatchType, body, metav1.PatchOptions{}, "resize")
			if (err == nil) != (row.server == accepts) || err == nil && row.why == "" {
				t.Errorf("%s: the API server says %v, and it %s", row.cell, err, row.server)
			}
			continue
		}
		for _, change := range changes {
			if result := executor.Apply(context.Background(), adapters.Key{Namespace: s.namespace, Name: "web"}, change); result.Err != nil {
				t.Errorf("%s: %v", row.cell, result.Err)
			}
		}
		if got, want := s.pod(pod.Name), s.sizedPod(fmt.Sprintf("web-%d", 2*i+1), after); !sameSizes(got, want) {
			t.Errorf("%s: the pod has %s, and a new one has %s", row.cell, sizesOf(got), sizesOf(want))
		}
	}
}

// sameSizes reports whether all containers of two pods have the same resources. Nothing is as much as zero.
func sameSizes(a, b *corev1.Pod) bool {
	same := func(a, b corev1.ResourceList) bool { return a.Cpu().Equal(*b.Cpu()) && a.Memory().Equal(*b.Memory()) }
	return slices.EqualFunc(slices.Concat(a.Spec.InitContainers, a.Spec.Containers), slices.Concat(b.Spec.InitContainers, b.Spec.Containers),
		func(a, b corev1.Container) bool {
			return same(a.Resources.Limits, b.Resources.Limits) && same(a.Resources.Requests, b.Resources.Requests)
		})
}

// sizedPod makes a pod of no set.
func (s *scene) sizedPod(name, spec string) *corev1.Pod {
	s.Helper()
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: name}}
	if err := json.Unmarshal([]byte(spec), &pod.Spec); err != nil {
		s.Fatal(err)
	}
	made, err := s.client.CoreV1().Pods(s.namespace).Create(context.Background(), pod, metav1.CreateOptions{})
	if err != nil {
		s.Fatalf("%s: %v", spec, err)
	}
	return made
}

// plannedResize asks the planner what becomes of a pod of a set that keeps its pods, as that of one ordinal, where its spec is to be another one: where that
// happens, and by which resizes.
func (s *scene) plannedResize(cell string, stored *corev1.Pod, before, after string) (resizes []*setplanv1.Action, where string) {
	s.Helper()
	labels := `"metadata":{"labels":{"app":"web"}}`
	set := &unstructured.Unstructured{}
	text := `{"apiVersion":"apps/v1","kind":"StatefulSet","metadata":{"name":"web","namespace":"` + s.namespace + `","uid":"set","generation":2,"resourceVersion":"1",
		"annotations":{"setplan.io/in-place":"InPlaceOnly"}},"spec":{"replicas":1,"ordinals":{"start":` + strings.TrimPrefix(stored.Name, "web-") + `},"serviceName":"web","podManagementPolicy":"Parallel",
		"updateStrategy":{"type":"RollingUpdate"},"selector":{"matchLabels":{"app":"web"}},"template":{` + labels + `,"spec":` + after + `}},"status":{"currentRevision":"web-old","replicas":1}}`
	if err := set.UnmarshalJSON([]byte(text)); err != nil {
		s.Fatal(err)
	}
	whole, err := snapshot.FromUnstructured(set)
	if err != nil {
		s.Fatal(err)
	}
	owner := []metav1.OwnerReference{{APIVersion: "apps/v1", Kind: "StatefulSet", Name: "web", UID: "set", Controller: new(true), BlockOwnerDeletion: new(true)}}
	revision := &appsv1.ControllerRevision{ObjectMeta: metav1.ObjectMeta{Name: "web-old", Namespace: s.namespace, UID: "old", Labels: map[string]string{"app": "web"}, OwnerReferences: owner},
		Data: runtime.RawExtension{Raw: []byte(`{"spec":{"template":{"$patch":"replace",` + labels + `,"spec":` + before + `}}}`)}, Revision: 1}
	pod := stored.DeepCopy()
	pod.OwnerReferences, pod.Annotations = owner, map[string]string{"setplan.io/in-place-update": "{}"}
	pod.Labels = map[string]string{"app": "web", "controller-revision-hash": "web-old", "statefulset.kubernetes.io/pod-name": pod.Name, "apps.kubernetes.io/pod-index": strings.TrimPrefix(pod.Name, "web-")}
	revisions := []*appsv1.ControllerRevision{revision}
	started := false
	for range 4 {
		shown, err := snapshot.Of(&snapshot.Objects{Set: whole, Pods: []*corev1.Pod{pod}, Revisions: revisions}, &setplanv1.Coverage{Pods: true, Claims: true, Revisions: true}, time.Now())
		if err != nil {
			s.Fatal(err)
		}
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
					switch {
					case action.GetResizePod() != nil:
						return append(resizes, action), inPlace
					case action.GetUpdatePod() != nil && action.GetUpdatePod().GetLabels()["controller-revision-hash"] != "":
						return nil, inPlace // the amounts are the same
					case action.GetUpdatePod() != nil:
						started = true
						pod.Annotations = action.GetUpdatePod().GetAnnotations()
					case action.GetCreateRevision() != nil:
						made := &appsv1.ControllerRevision{}
						if err := json.Unmarshal(action.GetCreateRevision().GetManifest(), made); err != nil {
							s.Fatal(err)
						}
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
	s.Fatalf("%s: the planner neither resizes the pod nor says why not", cell)
	return nil, ""
}
