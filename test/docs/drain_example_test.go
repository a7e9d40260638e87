package docs

import (
	"encoding/json"
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"

	"github.com/setplan/setplan/adapters"
	"github.com/setplan/setplan/test/need"
	"github.com/setplan/setplan/test/sim"
	"github.com/setplan/setplan/test/story"
)

// TestDrainExample scales down the set of deploy/examples/drain on the simulated cluster, and compares the writes with those on drain.md.
func TestDrainExample(t *testing.T) {
	text := page(t, "drain.md")
	set := drainExample(t, page(t, "../deploy/examples/drain/files.yaml"))
	spec := need.Value(json.Marshal(set.Spec))(t)
	runner := story.NewRunner()
	run := func(line, input string) string { return runner.Run(story.ParseCommand(line, input)) }
	run("set name="+set.Name, string(spec)) // a patch of a spec with every default
	need.Value(runner.World().Update("user", sim.KindSet, set.Name, sim.Preconditions{}, func(o sim.Object) { o.SetAnnotations(set.Annotations) }))(t)
	if up := run("settle", ""); !strings.Contains(up, "in the desired state") {
		t.Fatalf("before the scale-down:\n%s", up)
	}
	run("edit "+set.Name+" replicas=2", "")
	got := run("settle", "")
	run("pod "+set.Name+"-2 complete", "") // its container ends with 0 and leaves the token
	got += run("settle", "")
	if want := fence(t, text, "text", 0); got != want {
		t.Errorf("the writes are\n%s", got)
	}
	for _, problem := range runner.Problems() {
		t.Error(problem)
	}
}

// drainExample reads the set, and its drain template as people write it: a field that Kubernetes does not have is a mistake.
func drainExample(t *testing.T, manifest string) *appsv1.StatefulSet {
	t.Helper()
	_, document, _ := strings.Cut(manifest, "\n---\n")
	set, template := &appsv1.StatefulSet{}, &corev1.PodTemplateSpec{}
	need.NoError(t, yaml.UnmarshalStrict([]byte(document), set))
	need.NoError(t, yaml.UnmarshalStrict([]byte(set.Annotations[adapters.AnnotationDrainTemplate]), template))
	return set
}
