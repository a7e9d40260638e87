//go:build e2e

package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"
)

// TestShapes: each spec of testdata/shapes.yaml gives a revision of the same name and bytes, the same pod and the same claims
// under apps/v1, run by the built-in controller, and under our own kind, run by us.
func TestShapes(t *testing.T) {
	t.Parallel()
	text := must(os.ReadFile("testdata/shapes.yaml"))(t)
	shapes := map[string]map[string]any{}
	noError(t, yaml.UnmarshalStrict(text, &shapes))
	theirs, ours := onManaged(t), onManaged(t)
	for name, shape := range shapes {
		set := shaped(name, shape)
		set.SetAPIVersion("apps/v1")
		theirs.createUnder(appsv1.SchemeGroupVersion.WithResource("statefulsets"), set.DeepCopy())
		set.SetAPIVersion(ownKind)
		ours.createUnder(ownSets, set)
	}
	deadline := time.Now().Add(busy * time.Minute)
	for name := range shapes {
		web := slug(name)
		want, err := theirs.madeOf(web, deadline)
		if err != nil {
			t.Errorf("%s: the built-in controller: %v", name, err)
			continue
		}
		got, err := ours.madeOf(web, deadline)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: the built-in controller's (-), ours (+):\n%s", name, diff)
		}
	}
	if len(shapes) < 50 {
		t.Errorf("%d shapes", len(shapes))
	}
}

func slug(name string) string { return strings.ReplaceAll(name, " ", "-") }

// shaped returns a set whose spec is a shape merged over a plain spec.
func shaped(name string, shape map[string]any) *unstructured.Unstructured {
	labels := map[string]any{"app": slug(name)}
	spec := map[string]any{"replicas": int64(1), "selector": map[string]any{"matchLabels": labels}, "template": map[string]any{
		"metadata": map[string]any{"labels": labels},
		"spec":     map[string]any{"containers": []any{map[string]any{"name": "main", "image": "app:1"}}},
	}}
	return &unstructured.Unstructured{Object: map[string]any{"kind": "StatefulSet", "metadata": map[string]any{"name": slug(name)}, "spec": overlaid(spec, shape)}}
}

func overlaid(under, over map[string]any) map[string]any {
	for key, value := range over {
		lower, isObject := under[key].(map[string]any)
		upper, too := value.(map[string]any)
		if isObject && too {
			value = overlaid(lower, upper)
		}
		under[key] = value
	}
	return under
}

// madeOf returns what a controller made for a set of one pod, once it is there, without what differs between any two objects.
func (s *scene) madeOf(set string, deadline time.Time) (made map[string]any, err error) {
	s.Helper()
	for ; ; time.Sleep(100 * time.Millisecond) {
		if made, err = s.made(set); err == nil || time.Now().After(deadline) {
			return made, err
		}
	}
}

func (s *scene) made(set string) (map[string]any, error) {
	s.Helper()
	made, ctx := map[string]any{}, context.Background()
	pod, err := s.client.CoreV1().Pods(s.namespace).Get(ctx, set+"-0", metav1.GetOptions{})
	if err != nil {
		return nil, err
	}
	pod.Spec.NodeName = ""
	// The built-in controller keeps the volumes of its claims in a Go map, and so gives them to pods in any order.
	slices.SortFunc(pod.Spec.Volumes, func(a, b corev1.Volume) int { return strings.Compare(a.Name, b.Name) })
	made["pod"] = plain(s, pod.Labels, pod.Annotations, pod.Spec)
	ofSet := metav1.ListOptions{LabelSelector: "app=" + set}
	revisions, err := s.client.AppsV1().ControllerRevisions(s.namespace).List(ctx, ofSet)
	if err != nil {
		return nil, err
	}
	if len(revisions.Items) != 1 {
		return nil, fmt.Errorf("%d revisions", len(revisions.Items))
	}
	for _, r := range revisions.Items {
		made["revision "+r.Name] = plain(s, r.Labels, r.Annotations, string(r.Data.Raw), r.Revision)
	}
	claims, err := s.client.CoreV1().PersistentVolumeClaims(s.namespace).List(ctx, ofSet)
	if err != nil {
		return nil, err
	}
	for i := range claims.Items {
		claim := &claims.Items[i]
		claim.Annotations, claim.Spec.VolumeName = nil, "" // the binding wrote these
		made["claim "+claim.Name] = plain(s, claim.Labels, claim.Spec)
	}
	return made, nil
}

// random matches the names that the API server generates.
var random = regexp.MustCompile(`kube-api-access-[a-z0-9]{5}`)

func plain(s *scene, values ...any) string {
	s.Helper()
	text := must(json.MarshalIndent(values, "", " "))(s)
	return random.ReplaceAllString(string(text), "kube-api-access")
}
