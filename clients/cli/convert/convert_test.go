package convert

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic/fake"
	clienttesting "k8s.io/client-go/testing"
	"sigs.k8s.io/yaml"

	"github.com/setplan/setplan/clients/cli/printable"
)

var rewrite = flag.Bool("rewrite", false, "rewrite the expected texts; read the diff")

// listKinds are the kinds of the tests' API server.
var listKinds = map[schema.GroupVersionResource]string{
	{Version: "v1", Resource: "pods"}: "PodList", {Version: "v1", Resource: "persistentvolumeclaims"}: "PersistentVolumeClaimList",
	{Group: "apps", Version: "v1", Resource: "controllerrevisions"}:                  "ControllerRevisionList",
	{Group: "autoscaling", Version: "v2", Resource: "horizontalpodautoscalers"}:      "HorizontalPodAutoscalerList",
	{Group: "keda.sh", Version: "v1alpha1", Resource: "scaledobjects"}:               "ScaledObjectList",
	{Group: "autoscaling.k8s.io", Version: "v1", Resource: "verticalpodautoscalers"}: "VerticalPodAutoscalerList",
	{Group: "policy", Version: "v1", Resource: "poddisruptionbudgets"}:               "PodDisruptionBudgetList",
	{Group: "apps", Version: "v1", Resource: "replicasets"}:                          "ReplicaSetList",
	{Group: "apps", Version: "v1", Resource: "daemonsets"}:                           "DaemonSetList",
	{Version: "v1", Resource: "replicationcontrollers"}:                              "ReplicationControllerList",
	{Group: "batch", Version: "v1", Resource: "jobs"}:                                "JobList",
	BuiltIn.GVR(): "StatefulSetList", Own.GVR(): "StatefulSetList", Kruise.GVR(): "StatefulSetList", PingCAP.GVR(): "StatefulSetList",
}

// cluster returns an API server with the objects of a file, and the first object, which is the set.
func cluster(t *testing.T, file string) (*fake.FakeDynamicClient, *unstructured.Unstructured) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", file+".yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var objects []runtime.Object
	for document := range strings.SplitSeq(string(text), "\n---\n") {
		data, err := yaml.YAMLToJSON([]byte(document))
		if err != nil {
			t.Fatal(err)
		}
		object := &unstructured.Unstructured{}
		if err := object.UnmarshalJSON(data); err != nil {
			t.Fatal(err)
		}
		objects = append(objects, object)
	}
	client := fake.NewSimpleDynamicClientWithCustomListKinds(runtime.NewScheme(), listKinds, objects...)
	client.PrependReactor("create", "statefulsets", func(action clienttesting.Action) (bool, runtime.Object, error) {
		create := action.(clienttesting.CreateActionImpl)
		if len(create.CreateOptions.DryRun) == 0 {
			t.Error("convert has created something")
		}
		return true, create.Object, nil
	})
	return client, objects[0].(*unstructured.Unstructured)
}

func converted(t *testing.T, client *fake.FakeDynamicClient, set *unstructured.Unstructured) *Result {
	t.Helper()
	c := &Case{Set: set, Now: time.Date(2026, 11, 21, 6, 40, 43, 0, time.UTC), Program: "setplan"}
	var err error
	if c.From, err = KindOf(set.GroupVersionKind()); err != nil {
		t.Fatal(err)
	}
	if c.To, err = Target(c.From, ""); err != nil {
		t.Fatal(err)
	}
	if err := Read(t.Context(), client, c); err != nil {
		t.Fatal(err)
	}
	r := Make(c)
	for _, action := range client.Actions() {
		if verb := action.GetVerb(); verb != "get" && verb != "list" && verb != "create" {
			t.Errorf("convert has asked to %s %s", verb, action.GetResource())
		}
	}
	return r
}

var files = []string{"plain", "dangers", "back", "old", "kruise", "pingcap", "odd"}

// TestGolden compares the text and the manifest of every case with its file.
func TestGolden(t *testing.T) {
	for _, file := range files {
		client, set := cluster(t, file)
		r := converted(t, client, set)
		text := &bytes.Buffer{}
		if err := Text(printable.Writer(text, false), r); err != nil {
			t.Fatal(err)
		}
		manifest, err := yaml.Marshal(r.Manifest)
		if err != nil {
			t.Fatal(err)
		}
		golden(t, file+".txt", text.String()+"\n# "+Own.file("")+"\n"+string(manifest))
		for line := range strings.SplitSeq(text.String(), "\n") {
			if at := strings.IndexFunc(line, func(r rune) bool { return !unicode.IsPrint(r) }); at >= 0 || strings.HasPrefix(line, "FORGED") {
				t.Errorf("%s: %q", file, line)
			}
		}
	}
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *rewrite {
		if err := os.WriteFile(path, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s; go test ./clients/cli/convert -args -rewrite accepts it:\n%s", name, diff)
	}
}

// TestUnseen: a kind that the API server does not have is no danger; a kind that it forbids to list is one.
func TestUnseen(t *testing.T) {
	client, set := cluster(t, "plain")
	client.PrependReactor("list", "*", func(action clienttesting.Action) (bool, runtime.Object, error) {
		switch resource := action.GetResource(); resource.Resource {
		case "scaledobjects", "verticalpodautoscalers":
			return true, nil, apierrors.NewNotFound(resource.GroupResource(), "")
		case "poddisruptionbudgets":
			return true, nil, apierrors.NewForbidden(resource.GroupResource(), "", nil)
		case "statefulsets":
			return true, nil, apierrors.NewNotFound(resource.GroupResource(), "")
		}
		return false, nil, nil
	})
	var codes []string
	for _, f := range converted(t, client, set).Findings {
		codes = append(codes, string(f.Severity)+" "+f.Code)
	}
	if diff := cmp.Diff([]string{"stop NOT_SERVED", "act NOT_READ"}, codes); diff != "" {
		t.Error(diff)
	}
}

// TestTargets: the kinds that a set can move to.
func TestTargets(t *testing.T) {
	for _, row := range []struct {
		from Kind
		to   string
		want string
	}{
		{BuiltIn, "", Own.Group}, {Own, "", BuiltIn.Group}, {Kruise, "", Own.Group}, {PingCAP, "", Own.Group},
		{Kruise, "apps/v1", BuiltIn.Group}, {BuiltIn, "apps.setplan.io/v1beta1", Own.Group},
		{BuiltIn, "apps/v1", "error"}, {BuiltIn, "apps.kruise.io/v1beta1", "error"}, {Own, "apps.setplan.io/v1beta1", "error"},
	} {
		got, err := Target(row.from, row.to)
		if err != nil {
			got.Group = "error"
		}
		if got.Group != row.want {
			t.Errorf("%s to %q: %s, %v", row.from.APIVersion(), row.to, got.Group, err)
		}
	}
	if _, err := KindOf(schema.GroupVersionKind{Group: "apps", Version: "v1", Kind: "Deployment"}); err == nil {
		t.Error("a Deployment can be converted")
	}
}

// TestRetains: a claim's reference to the set counts, whatever the policy says now, because it may not have been removed yet.
func TestRetains(t *testing.T) {
	for _, refers := range []bool{false, true} {
		client, set := cluster(t, "plain")
		claim := &unstructured.Unstructured{Object: map[string]any{"apiVersion": "v1", "kind": "PersistentVolumeClaim"}}
		claim.SetName("data-web-0")
		claim.SetNamespace("default")
		if refers {
			claim.SetOwnerReferences([]metav1.OwnerReference{{APIVersion: "apps/v1", Kind: "StatefulSet", Name: "web", UID: set.GetUID()}})
		}
		if err := client.Tracker().Add(claim); err != nil {
			t.Fatal(err)
		}
		waits := false
		for _, step := range converted(t, client, set).Steps {
			waits = waits || strings.Contains(step.Command, "get persistentvolumeclaims")
		}
		if waits != refers {
			t.Errorf("a claim refers to the set: %v; the commands wait for that to end: %v", refers, waits)
		}
	}
}

// TestEveryCodeIsExplained: the page has a row for every code.
func TestEveryCodeIsExplained(t *testing.T) {
	page, err := os.ReadFile("../../../docs/convert.md")
	if err != nil {
		t.Fatal(err)
	}
	sources, err := filepath.Glob("check_*.go")
	if err != nil || len(sources) == 0 {
		t.Fatal(err, sources)
	}
	codes := 0
	for _, source := range sources {
		text, err := os.ReadFile(source)
		if err != nil {
			t.Fatal(err)
		}
		for _, match := range regexp.MustCompile(`Code: "(\w+)"`).FindAllStringSubmatch(string(text), -1) {
			codes++
			if !strings.Contains(string(page), "`"+match[1]+"`") {
				t.Errorf("docs/convert.md does not explain %s", match[1])
			}
		}
	}
	if codes < 20 {
		t.Errorf("only %d codes were found in the sources", codes)
	}
}
