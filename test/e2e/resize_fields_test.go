//go:build e2e

package e2e

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/setplan/setplan/adapters"
	"github.com/setplan/setplan/adapters/kube"
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
		pod := s.podOf(fmt.Sprintf("web-%d", 2*i), unmarked(before))
		changes, where := s.plannedInPlace(row.cell, pod, unmarked(before), unmarked(after))
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
		if got, want := s.pod(pod.Name), s.podOf(fmt.Sprintf("web-%d", 2*i+1), unmarked(after)); !sameSizes(got, want) {
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

// unmarked is the template of a spec, with the label of the selector and nothing else.
func unmarked(spec string) string { return `{"metadata":{"labels":{"app":"web"}},"spec":` + spec + `}` }
