//go:build e2e

package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/setplan/setplan/adapters"
)

// Images of drain pods, by how the pods end; "idle" ones run until a test ends them.
const (
	completes = "completes:1"

	idle = "drain:1"
)

// drainTemplate is a drain pod template whose pod behaves as its image says.
func drainTemplate(image string) string {
	return fmt.Sprintf(`{"metadata":{"labels":{"app":"drainer"}},"spec":{"terminationGracePeriodSeconds":1,"containers":[
{"name":"drain","image":"registry.example/%s","volumeMounts":[{"name":"www","mountPath":"/data"}]}]}}`, image)
}

// drained gives a set a drain policy; more are its other annotations, "name=value".
func drained(image string, more ...string) func(*appsv1.StatefulSet) {
	return func(set *appsv1.StatefulSet) {
		set.Annotations = map[string]string{adapters.AnnotationDrainTemplate: drainTemplate(image)}
		for _, annotation := range more {
			name, value, _ := strings.Cut(annotation, "=")
			set.Annotations[name] = value
		}
	}
}

// annotateSet sets an annotation of a set; an empty value removes it.
func (s *scene) annotateSet(name, annotation, value string) {
	s.Helper()
	var v any = value
	if value == "" {
		v = nil
	}
	body := must(json.Marshal(map[string]any{"metadata": map[string]any{"annotations": map[string]any{annotation: v}}}))(s)
	must(s.sets().Patch(context.Background(), name, types.MergePatchType, body, metav1.PatchOptions{}))(s)
}

// marked waits until a claim has the mark of a set.
func (s *scene) marked(claim string, set *appsv1.StatefulSet) {
	s.Helper()
	eventually(s, 30*time.Second, claim+" is marked", func() error {
		if got, want := s.claim(claim).Annotations[adapters.AnnotationDrainSet], set.Name+"/"+string(set.UID); got != want {
			return fmt.Errorf("the mark is %q, want %q", got, want)
		}
		return nil
	})
}

// allMarked waits until every claim of the scene has the mark of a set.
func (s *scene) allMarked(set *appsv1.StatefulSet) {
	s.Helper()
	for _, claim := range strings.Fields(s.claimNames()) {
		s.marked(claim, set)
	}
}

// finalizerBecomes waits until a set has a finalizer.
func (s *scene) finalizerBecomes(set, finalizer string) {
	s.Helper()
	eventually(s, 30*time.Second, "the finalizer of "+set, func() error {
		if got := s.get(set).Finalizers; !slices.Contains(got, finalizer) {
			return fmt.Errorf("the finalizers are %v", got)
		}
		return nil
	})
}
