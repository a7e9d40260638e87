package verdicts

import (
	"encoding/json"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
	"github.com/setplan/setplan/test/need"
	"github.com/setplan/setplan/test/sim"
	"github.com/setplan/setplan/test/story"
)

// truth is what somebody who knows everything would say of a set.
type truth string

const (
	done    truth = "done"    // every pod is available, and at the revision that the spec lets it have
	moving  truth = "moving"  // it goes on by itself
	stuck   truth = "stuck"   // it does not, or nobody can tell
	leaving truth = "leaving" // it is being deleted
)

// state is a set and how it came to be, in the language of test/story/testdata/stories/README.md.
type state struct {
	name  string
	truth truth
	story string
}

// atRest is where most stories begin.
const atRest = "set name=web replicas=3 claims=www\nsettle\n"

var states = []state{
	{"healthy", done, atRest},
	{"healthy, without replicas", done, atRest + "edit web replicas=0\nsettle"},
	{"healthy, taken over at rest", done, "behavior KUBERNETES_1_36\n" + atRest},
	{"healthy after an update", done, atRest + "edit web image=v2\nsettle"},
	{"held by the partition, canary available", done, atRest + "edit web image=v2 partition=2\nsettle"},
	{"OnDelete, pods at an older revision", done, atRest + "edit web image=v2 strategy=OnDelete\nsettle"},
	{"healthy, an annotation of ours has a bad value", done, atRest + "annotate web setplan.io/repair=Sometimes\nsettle"},

	{"the adapter has not seen the last edit", moving, atRest + "edit web replicas=5"},
	{"scaling up", moving, atRest + "edit web replicas=5\nreconcile\nkubelet\nreconcile"},
	{"scaling down", moving, atRest + "edit web replicas=2\nreconcile"},
	{"scaled down, an ordinal is drained", moving, atRest + "drain web image=v1\nedit web replicas=2\nsettle"},
	{"updating, a pod is away", moving, atRest + "edit web image=v2\nreconcile\nkubelet\nreconcile"},
	{"updating, between two pods", moving, atRest + "edit web image=v2\nreconcile\nkubelet\nreconcile\nkubelet x2\nreconcile"},
	{"updating to the partition", moving, atRest + "edit web image=v2 partition=1\nreconcile\nkubelet\nreconcile"},
	{"all ready, waits for minReadySeconds", moving, "set name=web replicas=3 policy=Parallel minReady=60\n" +
		"reconcile\nkubelet x2\nreconcile"},
	{"pods of an earlier set still have its names", moving, atRest + "delete web\nset name=web replicas=3\nreconcile"},
	{"OnDelete, scaling up", moving, atRest + "edit web strategy=OnDelete replicas=5\nreconcile\nkubelet\nreconcile"},

	{"the new image cannot be pulled", stuck, atRest + "edit web image=bad\nsettle"},
	{"the first image cannot be pulled", stuck, "set name=web replicas=3 image=bad\nsettle"},
	{"OnDelete, the new image cannot be pulled", stuck, atRest + "edit web image=bad strategy=OnDelete\npod web-1 delete\nsettle"},
	{"somebody else's pod has the name", stuck, "set name=web replicas=3\npod web-1 create labels=app=other owner=ReplicaSet/other\nsettle"},
	{"a quota refuses the pod", stuck, atRest + "edit web replicas=5\nfault create_pod quota x9\nreconcile\nreconcile\nreconcile"},
	{"a bad drain policy holds the scale-down", stuck, atRest + "drain web image=v1 scaleUp=sometimes\nedit web replicas=2\nsettle"},
	{"a drain has failed, another follows", stuck, "set name=web replicas=3 claims=www\ndrain web image=fails\nsettle\n" +
		"edit web replicas=2\nreconcile\nkubelet\nreconcile\nkubelet x2\nreconcile"},
	{"the spec cannot be used", stuck, atRest + "edit web strategy=Whenever\nsettle"},
	{"the new image crashes", stuck, atRest + "edit web image=crash\nsettle"},
	{"a node is lost", stuck, atRest + "pod web-1 lost\nsettle"},

	{"being deleted", leaving, atRest + "delete web foreground\nreconcile"},
}

// seen is what a tool can see of a state, and the plan that would come next: in words, and whether it says that the set is done.
type seen struct {
	set  *unstructured.Unstructured
	pods []unstructured.Unstructured
	plan string
	done bool
}

// run runs the story and returns what there is at its end, as the API server would send it.
func (s state) run(t *testing.T) seen {
	t.Helper()
	runner, found := story.NewRunner(), seen{}
	runner.Record(func(_ sim.View, _ *setplanv1.PlanRequest, response *setplanv1.PlanResponse) {
		found.done = response.GetPlan().GetDone()
	})
	for line := range strings.Lines(s.story) {
		line = strings.TrimSpace(line)
		if out := runner.Run(story.ParseCommand(line, "")); strings.HasPrefix(out, "error: ") {
			t.Fatalf("%s: %s", line, out)
		}
	}
	for _, problem := range runner.Problems() {
		t.Error(problem)
	}
	world := runner.World().State()
	if world.Set("web") == nil {
		t.Fatal("the story ends without the set")
	}
	found.set = served(t, world.Set("web"))
	for _, name := range world.Names(sim.KindPod) {
		pod := world.Pod(name).DeepCopy()
		pod.APIVersion, pod.Kind = "v1", sim.KindPod
		if image := pod.Spec.Containers[0]; strings.HasSuffix(image.Image, ":crash") {
			// The simulated kubelet writes no container statuses. This is what a real one writes.
			pod.Status.ContainerStatuses = []corev1.ContainerStatus{{Name: image.Name, RestartCount: 5, State: corev1.ContainerState{
				Waiting: &corev1.ContainerStateWaiting{Reason: "CrashLoopBackOff"}}}}
		}
		found.pods = append(found.pods, *served(t, pod))
	}
	found.plan = runner.Run(story.ParseCommand("plan web", ""))
	return found
}

func served(t *testing.T, object any) *unstructured.Unstructured {
	t.Helper()
	data := need.Value(json.Marshal(object))(t)
	read := &unstructured.Unstructured{}
	need.NoError(t, read.UnmarshalJSON(data))
	return read
}

// condition is how a condition of the set reads in the table.
func condition(object *unstructured.Unstructured, name string) string {
	list, _, _ := unstructured.NestedSlice(object.Object, "status", "conditions")
	for _, entry := range list {
		if c := entry.(map[string]any); c["type"] == name {
			if c["status"] == "True" {
				return c["reason"].(string)
			}
			return c["status"].(string)
		}
	}
	return "none"
}
