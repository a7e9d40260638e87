//go:build e2e

package e2e

import (
	"cmp"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
	"k8s.io/client-go/dynamic"
)

// underTest is the kind of the sets that the tests make: apps/v1, or what make e2e KIND= says. Under our own kind the built-in controller
// is on.
var underTest = cmp.Or(os.Getenv("E2E_KIND"), "apps/v1")

func isOwn() bool { return underTest == ownKind }

// setsUnderTest is the resource of that kind.
func setsUnderTest() schema.GroupVersionResource {
	version, err := schema.ParseGroupVersion(underTest)
	if err != nil {
		panic(err)
	}
	return version.WithResource("statefulsets")
}

// upForKind is a control plane for the kind under test.
func upForKind(dir, name string) (*cluster, error) {
	builtIn := map[bool]string{false: "off", true: "on"}[isOwn()]
	c, err := upCluster(dir, name, builtIn)
	if err != nil {
		return c, err
	}
	return c, c.define()
}

// define applies the definition of the kind under test, if it has one.
func (c *cluster) define() error {
	if !isOwn() {
		return nil
	}
	file, err := filepath.Abs(definition)
	if err != nil {
		return err
	}
	if _, err := c.kubectl("apply", "-f", file); err != nil {
		return err
	}
	return c.serves(ownSets)
}

// sets is a client for the sets of the scene.
func (s *scene) sets() dynamic.ResourceInterface { return s.of(setsUnderTest()) }

// typed reads a set of any kind as one of apps/v1, whose fields all have, with annotations in the place of others.
func (s *scene) typed(set *unstructured.Unstructured) *appsv1.StatefulSet {
	s.Helper()
	out := &appsv1.StatefulSet{}
	noError(s, runtime.DefaultUnstructuredConverter.FromUnstructured(byAnnotations(set).Object, out))
	return out
}

// patched sends a strategic merge patch. For a kind that has a definition the API server knows none: it is applied here, as kubectl edit does.
func patched(sets dynamic.ResourceInterface, name string, patch []byte) error {
	ctx := context.Background()
	if !isOwn() {
		_, err := sets.Patch(ctx, name, types.StrategicMergePatchType, patch, metav1.PatchOptions{})
		return err
	}
	for {
		now, err := sets.Get(ctx, name, metav1.GetOptions{})
		if err != nil {
			return err
		}
		text, err := json.Marshal(now)
		if err != nil {
			return err
		}
		if text, err = strategicpatch.StrategicMergePatch(text, patch, appsv1.StatefulSet{}); err != nil {
			return err
		}
		next := &unstructured.Unstructured{}
		if err := next.UnmarshalJSON(text); err != nil {
			return err
		}
		if _, err := sets.Update(ctx, byFields(next), metav1.UpdateOptions{}); !apierrors.IsConflict(err) {
			return err
		}
	}
}

// withStrategy is a set of our own kind with the strategy that one gets which says nothing of it. Under apps/v1 it is stored.
func withStrategy(object *unstructured.Unstructured) *unstructured.Unstructured {
	strategy, there, _ := unstructured.NestedMap(object.Object, "spec", "updateStrategy")
	if object.GetKind() != "StatefulSet" || !there || strategy["type"] != nil {
		return object
	}
	out := object.DeepCopy()
	strategy["type"] = "RollingUpdate"
	if strategy["rollingUpdate"] == nil {
		strategy["rollingUpdate"] = map[string]any{"partition": int64(0)}
	}
	_ = unstructured.SetNestedMap(out.Object, strategy, "spec", "updateStrategy") // it was there
	return out
}

// TestKindUnderTest: the suite runs for the kind that it says.
func TestKindUnderTest(t *testing.T) {
	t.Parallel()
	s := newScene(t, shared.cluster)
	s.create(webSet("web", 1))
	s.settled("web")
	if owner := s.pod("web-0").OwnerReferences[0].APIVersion; owner != underTest {
		t.Errorf("the pod is owned by a set of %s, want %s", owner, underTest)
	}
}
