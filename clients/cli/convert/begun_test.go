package convert

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	clienttesting "k8s.io/client-go/testing"

	"github.com/setplan/setplan/engine/policy"
)

// TestBegunTwice: the first commands change the old set; afterwards convert still prints the same manifest, and the way back still restores
// the set as it was.
func TestBegunTwice(t *testing.T) {
	client, set := cluster(t, "dangers")
	before := converted(t, client, set)
	client, set = cluster(t, "dangers")
	annotations := set.GetAnnotations()
	delete(annotations, policy.DrainOnDelete)
	annotations[annotationDrain], annotations[AnnotationRetention] = "true", `{"whenDeleted":"Delete","whenScaled":"Retain"}`
	set.SetAnnotations(annotations)
	set.SetFinalizers(nil)
	if err := unstructured.SetNestedStringMap(set.Object, map[string]string{"whenDeleted": "Retain", "whenScaled": "Retain"}, "spec", "persistentVolumeClaimRetentionPolicy"); err != nil {
		t.Fatal(err)
	}
	again := converted(t, client, set)
	if diff := cmp.Diff(before.Manifest, again.Manifest); diff != "" {
		t.Errorf("the second manifest is another one:\n%s", diff)
	}
	back := func(r *Result) []string {
		for _, step := range r.Steps {
			if step.Back != nil {
				return step.Back
			}
		}
		return nil
	}
	if diff := cmp.Diff(back(before), back(again)); diff != "" {
		t.Errorf("the second way back is another one:\n%s", diff)
	}
}

// TestFormerPolicy: the policy that a move has noted counts only if it is valid, and the set's policy is still as the move left it.
func TestFormerPolicy(t *testing.T) {
	for _, row := range []struct{ reason, kept, now, want string }{
		{"begun", `{"whenDeleted":"Delete","whenScaled":"Retain"}`, "Retain", "Delete"},
		{"decided anew", `{"whenDeleted":"Retain","whenScaled":"Retain"}`, "Delete", "Delete"},
		{"no policy", `{"whenDeleted":"Delete'; id #","whenScaled":"Retain"}`, "Retain", "Retain"},
		{"no JSON", `Delete`, "Retain", "Retain"},
	} {
		client, set := cluster(t, "odd")
		set.SetAnnotations(map[string]string{AnnotationRetention: row.kept})
		policy := map[string]string{"whenDeleted": row.now, "whenScaled": "Retain"}
		if err := unstructured.SetNestedStringMap(set.Object, policy, "spec", "persistentVolumeClaimRetentionPolicy"); err != nil {
			t.Fatal(err)
		}
		got, _, _ := unstructured.NestedString(converted(t, client, set).Manifest, "spec", "persistentVolumeClaimRetentionPolicy", "whenDeleted")
		if got != row.want {
			t.Errorf("%s: the new set has whenDeleted %s, want %s", row.reason, got, row.want)
		}
	}
}

// TestRejected: the preflight shows why the API server, or a webhook, refuses the new set.
func TestRejected(t *testing.T) {
	for reason, failure := range map[string]error{
		"REFUSED":  errors.NewInvalid(Own.GroupKind(), "web", nil),
		"NOT_READ": errors.NewForbidden(Own.GVR().GroupResource(), "web", nil),
	} {
		client, set := cluster(t, "plain")
		client.PrependReactor("create", "statefulsets", func(action clienttesting.Action) (bool, runtime.Object, error) {
			return action.GetResource() == Own.GVR(), nil, failure
		})
		found := false
		for _, f := range converted(t, client, set).Findings {
			found = found || f.Code == reason
		}
		if !found {
			t.Errorf("%v is no %s", failure, reason)
		}
	}
}

// TestClusterIsNamed: every command of every move names its cluster, because the current context may change.
func TestClusterIsNamed(t *testing.T) {
	for _, file := range files {
		client, set := cluster(t, file)
		c := &Case{Set: set, Program: "kubectl setplan", Cluster: []string{"--context=prod"}}
		c.From, _ = KindOf(set.GroupVersionKind())
		c.To, _ = Target(c.From, "")
		if err := Read(t.Context(), client, c); err != nil {
			t.Fatal(err)
		}
		r := Make(c)
		var commands []string
		for _, s := range r.Steps {
			commands = append(append(commands, s.Command), s.Back...)
		}
		for _, f := range r.Findings {
			commands = append(commands, f.Commands...)
		}
		for _, command := range commands {
			calls, named := strings.Count(command, "kubectl "), strings.Count(command, "kubectl --context=prod ")+strings.Count(command, "kubectl setplan --context=prod ")
			if calls == 0 || calls != named {
				t.Errorf("%s: %s", file, command)
			}
		}
	}
}

// TestUnfinished: after the commands were lost in the middle of a move, convert shows how to finish it.
func TestUnfinished(t *testing.T) {
	for _, row := range []struct {
		reason, label, pause string
		told                 bool
	}{
		{"nobody's pods", "web-0", "All", true}, {"not paused", "web-0", "Updates", false}, {"not a pod of a set", "", "All", false},
	} {
		client, set := cluster(t, "back")
		set.SetAnnotations(map[string]string{policy.Pause: row.pause})
		pod := &unstructured.Unstructured{Object: map[string]any{"apiVersion": "v1", "kind": "Pod"}}
		pod.SetNamespace(set.GetNamespace())
		pod.SetName(set.GetName() + "-7")
		if row.label != "" {
			pod.SetLabels(map[string]string{"statefulset.kubernetes.io/pod-name": pod.GetName()})
		}
		if err := client.Tracker().Add(pod); err != nil {
			t.Fatal(err)
		}
		told := false
		for _, f := range converted(t, client, set).Findings {
			told = told || f.Code == "UNFINISHED" && len(f.Commands) == 1
		}
		if told != row.told {
			t.Errorf("%s: told %v", row.reason, told)
		}
	}
}

// TestDeletesOnlyThatSet runs the command that deletes the old set, with given answers of kubectl, and checks whether it deletes.
func TestDeletesOnlyThatSet(t *testing.T) {
	client, set := cluster(t, "dangers")
	command := ""
	for _, step := range converted(t, client, set).Steps {
		if strings.Contains(step.Command, "delete statefulsets.apps/web") {
			command = step.Command
		}
	}
	for answer, deleted := range map[string]bool{
		"uid-web 8 ":                     true,
		"uid-web 9 2026-11-21T06:40:43Z": true, // its deletion has begun
		"uid-web 9 ":                     false,
		"uid-web 10 2026-11-21T06:40:4Z": false,
		"uid-web 7 ":                     false,
		"uid-2 8 ":                       false, // another set of the same name: of another cluster, or recreated
		"":                               false,
	} {
		script := `kubectl() { case "$*" in *' delete '*) echo DELETED;; *) printf %s "$ANSWER";; esac; }` + "\nANSWER='" + answer + "'\n" + command
		out, _ := exec.Command("sh", "-c", script).Output() // it fails if it does not delete
		if got := string(out) == "DELETED\n"; got != deleted {
			t.Errorf("%q: deleted %v", answer, got)
		}
	}
}
