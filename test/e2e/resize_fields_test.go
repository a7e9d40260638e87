//go:build e2e

package e2e

import (
	"context"
	"fmt"
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
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

// TestResizeFields: what the planner changes in place, the API server accepts, and the pod then has what a new pod would have; and what the API server
// refuses, the planner leaves to another pod.
func TestResizeFields(t *testing.T) {
	t.Parallel()
	s := newScene(t, shared.cluster)
	since36 := accepts
	if s.minor(t) < 36 {
		since36 = refuses
	}
	s.changesFields(unmarked(sizedSpec), []fieldRow{
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
		{"a plain init container", another, since36, "it runs when a pod is made", []string{`"registry.example/init:1"`, `"registry.example/init:1","resources":{"requests":{"cpu":"20m"}}`},
			[]string{`"20m"`, `"30m"`}},
		{"resources of the pod", another, since36, "they are beta in 1.36", []string{`"schedulerName"`, `"resources":{"limits":{"cpu":"4"}},"schedulerName"`}, []string{`"cpu":"4"`, `"cpu":"5"`}},
		{"of a container in a pod that has resources", another, since36, "the same", []string{`"schedulerName"`, `"resources":{"limits":{"cpu":"4"}},"schedulerName"`},
			[]string{`"limits":{"cpu":"1"`, `"limits":{"cpu":"2"`}},
	}, func(pod, _, after string) error {
		_, err := s.client.CoreV1().Pods(s.namespace).Patch(context.Background(), pod, types.MergePatchType, []byte(after), metav1.PatchOptions{}, "resize")
		return err
	}, amountsOf)
}

// amountsOf are the resources of all containers of a pod. Nothing is as much as zero.
func amountsOf(pod *corev1.Pod) string {
	var all []string
	for _, c := range slices.Concat(pod.Spec.InitContainers, pod.Spec.Containers) {
		for _, list := range []corev1.ResourceList{c.Resources.Limits, c.Resources.Requests} {
			all = append(all, fmt.Sprint(c.Name, list.Cpu().MilliValue(), list.Memory().MilliValue()))
		}
	}
	return fmt.Sprint(all)
}

// unmarked is the template of a spec, with the label of the selector and nothing else.
func unmarked(spec string) string { return `{"metadata":{"labels":{"app":"web"}},"spec":` + spec + `}` }
