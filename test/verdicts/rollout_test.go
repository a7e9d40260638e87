package verdicts

import (
	"encoding/json"
	"fmt"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	kubernetesfake "k8s.io/client-go/kubernetes/fake"
	"k8s.io/kubectl/pkg/polymorphichelpers"

	setplan "github.com/setplan/setplan/clients/cli/rollout"
	"github.com/setplan/setplan/test/need"
)

// TestRolloutStatusWords: setplan rollout status says of every small set of apps/v1 what kubectl's own code says, to the letter.
func TestRolloutStatusWords(t *testing.T) {
	viewer := need.Value(polymorphichelpers.StatusViewerFor(appsv1.SchemeGroupVersion.WithKind("StatefulSet").GroupKind()))(t)
	seen := map[string]bool{}
	for set := range smallSets() {
		theirs, theirEnd, theirErr := viewer.Status(set, 0)
		ours, end, err := setplan.Status(set)
		if ours != theirs || end != theirEnd || fmt.Sprint(err) != fmt.Sprint(theirErr) {
			t.Fatalf("kubectl says %q, %v, %v; setplan %q, %v, %v of\n%v", theirs, theirEnd, theirErr, ours, end, err, set.Object)
		}
		seen[fmt.Sprintf("%.20s %v %v", theirs, theirEnd, theirErr)] = true
	}
	if len(seen) != 9 { // kubectl has seven sentences, and one of them counts three numbers of pods here
		t.Errorf("the sets have met %d answers: %v", len(seen), seen)
	}
}

// smallSets are sets as an API server serves them, each combination of what the progress of a rollout depends on.
func smallSets() func(yield func(*unstructured.Unstructured) bool) {
	numbers := []int64{0, 1, 3}
	return func(yield func(*unstructured.Unstructured) bool) {
		for _, strategy := range []map[string]any{
			{"type": "OnDelete"}, {"type": "RollingUpdate"}, {"type": "RollingUpdate", "rollingUpdate": map[string]any{"partition": int64(0)}},
			{"type": "RollingUpdate", "rollingUpdate": map[string]any{"partition": int64(2), "maxUnavailable": "50%"}},
		} {
			for _, replicas := range numbers {
				for _, ready := range numbers {
					for _, updated := range numbers {
						for _, observed := range []int64{0, 1, 2, 3} {
							for _, current := range []string{"web-a", "web-b"} {
								set := &unstructured.Unstructured{Object: map[string]any{
									"apiVersion": "apps/v1", "kind": "StatefulSet",
									"metadata": map[string]any{"name": "web", "generation": int64(2)},
									"spec":     map[string]any{"replicas": replicas, "updateStrategy": strategy},
									"status": map[string]any{"observedGeneration": observed, "readyReplicas": ready, "updatedReplicas": updated, "currentReplicas": ready,
										"currentRevision": current, "updateRevision": "web-b"},
								}}
								if !yield(set) {
									return
								}
							}
						}
					}
				}
			}
		}
	}
}

// TestRolloutHistoryAndUndo: histories of every length are listed, and undone to every number, as kubectl's own code does it.
func TestRolloutHistoryAndUndo(t *testing.T) {
	kind := appsv1.SchemeGroupVersion.WithKind("StatefulSet").GroupKind()
	for length := range 5 {
		client := kubernetesfake.NewClientset(historyOf(length)...)
		set := need.Value(client.AppsV1().StatefulSets("default").Get(t.Context(), "web", metav1.GetOptions{}))(t)
		object := need.Value(runtime.DefaultUnstructuredConverter.ToUnstructured(set))(t)
		history := need.Value(setplan.History(t.Context(), client.AppsV1(), &unstructured.Unstructured{Object: object}))(t)
		viewer := need.Value(polymorphichelpers.HistoryViewerFor(kind, client))(t)
		if theirs, err := viewer.ViewHistory("default", "web", 0); err != nil || setplan.Table(history) != theirs {
			t.Errorf("a history of %d: kubectl lists %v\n%ssetplan\n%s", length, err, theirs, setplan.Table(history))
		}
		rollbacker := need.Value(polymorphichelpers.RollbackerFor(kind, client))(t)
		for to := range int64(9) {
			_, ours := setplan.Find(history, to)
			_, theirs := rollbacker.Rollback(set, nil, to, 0)
			if fmt.Sprint(ours) != fmt.Sprint(theirs) {
				t.Errorf("a history of %d, undo to %d: kubectl says %v, setplan %v", length, to, theirs, ours)
			}
			if theirs != nil {
				continue
			}
			undone := need.Value(client.AppsV1().StatefulSets("default").Get(t.Context(), "web", metav1.GetOptions{}))(t)
			if revision, _ := setplan.Find(history, to); image(t, revision) != undone.Spec.Template.Spec.Containers[0].Image {
				t.Errorf("a history of %d, undo to %d: setplan goes to %s, kubectl to %s", length, to, image(t, revision), undone.Spec.Template.Spec.Containers[0].Image)
			}
		}
	}
}

func image(t *testing.T, revision *appsv1.ControllerRevision) string {
	t.Helper()
	template := need.Value(setplan.Template(revision))(t)
	containers, _, err := unstructured.NestedSlice(template, "spec", "containers")
	if err != nil {
		t.Fatal(err)
	}
	return containers[0].(map[string]any)["image"].(string)
}

// historyOf is a set with as many revisions, whose numbers have gaps, one of somebody else, and one that nobody controls.
func historyOf(length int) []runtime.Object {
	set := &appsv1.StatefulSet{ObjectMeta: metav1.ObjectMeta{Name: "web", Namespace: "default", UID: "u1"}}
	template := func(i int) map[string]any {
		return map[string]any{"metadata": map[string]any{"labels": map[string]any{"app": "web"}}, "$patch": "replace",
			"spec": map[string]any{"containers": []any{map[string]any{"name": "web", "image": fmt.Sprintf("web:%d", i)}}}}
	}
	set.Spec.Selector = &metav1.LabelSelector{MatchLabels: map[string]string{"app": "web"}}
	set.Spec.Template.Labels = map[string]string{"app": "web"}
	objects := []runtime.Object{set}
	for i := range length + 2 {
		data, err := json.Marshal(map[string]any{"spec": map[string]any{"template": template(i)}})
		if err != nil {
			panic(err) // text only
		}
		revision := &appsv1.ControllerRevision{Revision: int64(7 - 2*i), Data: runtime.RawExtension{Raw: data},
			ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprintf("web-%d", i), Namespace: "default", Labels: map[string]string{"app": "web"}}}
		if i%2 == 1 {
			revision.Annotations = map[string]string{setplan.ChangeCause: fmt.Sprintf("the %d. change", i)}
		}
		switch owner := metav1.NewControllerRef(set, appsv1.SchemeGroupVersion.WithKind("StatefulSet")); i {
		case length:
			owner.UID = "u2"
			revision.OwnerReferences = []metav1.OwnerReference{*owner}
		case length + 1:
		default:
			revision.OwnerReferences = []metav1.OwnerReference{*owner}
		}
		objects = append(objects, revision)
	}
	return objects
}
