//go:build e2e

package e2e

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
)

// markedPod is a template whose images, labels and annotations the rows change, and a few things more. Nobody schedules its pods.
const markedPod = `{"metadata":{"labels":{"app":"web","tier":"gold"},"annotations":{"plan":"daily"}},"spec":{"schedulerName":"nobody",
"initContainers":[{"name":"init","image":"registry.example/init:1"},{"name":"proxy","image":"registry.example/proxy:1","restartPolicy":"Always"}],
"containers":[{"name":"web","image":"registry.example/web:1","env":[{"name":"MODE","value":"slow"}]},{"name":"log","image":"registry.example/log:1"}]}}`

// TestInPlaceFields: what the planner changes in place of labels, annotations and images, the API server accepts, and the pod then has what a new pod would
// have; and what the API server refuses, the planner leaves to another pod.
func TestInPlaceFields(t *testing.T) {
	t.Parallel()
	s := newScene(t, shared.cluster)
	env := func(of string) []string {
		return []string{`"value":"slow"`, `"valueFrom":{"fieldRef":{"fieldPath":"` + of + `"}}`}
	}
	inSpec := func(field string) []string { return []string{`"schedulerName"`, field + `,"schedulerName"`} }
	annotation := func(key string) []string {
		return []string{`"plan":"daily"`, `"plan":"daily","` + key + `":"runtime/default"`}
	}
	gold, web := []string{`"gold"`, `"silver"`}, []string{"web:1", "web:2"}
	s.changesFields(markedPod, []fieldRow{
		{"a label and an annotation change", inPlace, accepts, "", nil, []string{`"gold"`, `"silver"`, `"daily"`, `"weekly"`}},
		{"they are added", inPlace, accepts, "", nil, []string{`"tier"`, `"team":"a","tier"`, `"plan"`, `"zone":"b","plan"`}},
		{"they are removed", inPlace, accepts, "", nil, []string{`,"tier":"gold"`, ``, `"plan":"daily"`, ``}},
		{"a label that a volume shows", inPlace, accepts, "", inSpec(`"volumes":[{"name":"info","downwardAPI":{"items":[{"path":"tier","fieldRef":{"fieldPath":"metadata.labels['tier']"}}]}}]`), gold},
		{"the image of a container", inPlace, accepts, "", nil, web},
		{"the image of a sidecar", inPlace, accepts, "", nil, []string{"proxy:1", "proxy:2"}},
		{"images, a label and an annotation at once", inPlace, accepts, "", nil, []string{`"gold"`, `"silver"`, `"daily"`, `"weekly"`, "web:1", "web:2", "log:1", "log:2", "proxy:1", "proxy:2"}},

		{"an annotation of AppArmor is added", another, refuses, "", nil, annotation("container.apparmor.security.beta.kubernetes.io/web")},
		{"an annotation of AppArmor changes", another, refuses, "", annotation("container.apparmor.security.beta.kubernetes.io/web"), []string{"runtime/default", "unconfined"}},
		{"the annotation of a mirror", another, refuses, "", nil, annotation("kubernetes.io/config.mirror")},
		{"a variable", another, refuses, "", nil, []string{`"slow"`, `"fast"`}},
		{"imagePullPolicy", another, refuses, "", nil, []string{`"name":"log"`, `"imagePullPolicy":"Always","name":"log"`}},
		{"containers change places", another, refuses, "", nil, []string{`"name":"web"`, `"name":"log"`, `"name":"log"`, `"name":"web"`}},
		{"a sidecar becomes a plain init container", another, refuses, "", nil, []string{`,"restartPolicy":"Always"`, ``}},

		{"a label that a variable has", another, accepts, "a variable does not change while its container runs", env("metadata.labels['tier']"), gold},
		{"an annotation that a variable has", another, accepts, "the same", env("metadata.annotations['plan']"), []string{`"daily"`, `"weekly"`}},
		{"a label in matchLabelKeys of affinity", another, accepts, "the placement has the old value", inSpec(`"affinity":{"podAntiAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":[
			{"topologyKey":"zone","labelSelector":{"matchLabels":{"app":"web"}},"matchLabelKeys":["tier"]}]}}`), gold},
		{"a label in matchLabelKeys of a spread", another, accepts, "the same", inSpec(`"topologySpreadConstraints":[{"maxSkew":1,"whenUnsatisfiable":"DoNotSchedule",
			"topologyKey":"zone","labelSelector":{"matchLabels":{"app":"web"}},"matchLabelKeys":["tier"]}]`), gold},
		{"kubectl rollout restart", another, accepts, "it asks for other pods", nil, annotation("kubectl.kubernetes.io/restartedAt")},
		{"the image of a plain init container", another, accepts, "it runs when a pod is made", nil, []string{"init:1", "init:2"}},
		{"the image of a container with rules for its restart", another, accepts, "nothing may start it anew",
			[]string{`"name":"web"`, `"restartPolicy":"Never","restartPolicyRules":[{"action":"Restart","exitCodes":{"operator":"In","values":[42]}}],"name":"web"`}, web},
		{"an image that is pulled at each start from now on", another, accepts, "a new pod would have another policy for pulling it", nil, []string{"web:1", "web:latest"}},
		{"a toleration is added", another, accepts, "none can be taken away again", nil, inSpec(`"tolerations":[{"key":"disk"}]`)},
	}, func(pod, before, after string) error {
		patch, err := strategicpatch.CreateTwoWayMergePatch([]byte(before), []byte(after), corev1.Pod{})
		if err == nil {
			_, err = s.client.CoreV1().Pods(s.namespace).Patch(context.Background(), pod, types.StrategicMergePatchType, patch, metav1.PatchOptions{})
		}
		return err
	}, marksOf)
}

// marksOf are the images, labels and annotations that a pod has from its template.
func marksOf(pod *corev1.Pod) string {
	ours := func(key, _ string) bool {
		return key == "controller-revision-hash" || strings.HasPrefix(key, "setplan.io/")
	}
	labels, annotations := maps.Clone(pod.Labels), maps.Clone(pod.Annotations)
	maps.DeleteFunc(labels, ours)
	maps.DeleteFunc(annotations, ours)
	var images []string
	for _, c := range slices.Concat(pod.Spec.InitContainers, pod.Spec.Containers) {
		images = append(images, c.Name+"="+c.Image)
	}
	return fmt.Sprint(images, labels, annotations)
}
