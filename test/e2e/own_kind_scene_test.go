//go:build e2e

package e2e

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"sigs.k8s.io/yaml"

	appsv1 "k8s.io/api/apps/v1"
)

const (
	ownKind    = "apps.setplan.io/v1beta1"
	definition = "../../deploy/crd/statefulset.yaml"
)

var ownSets = schema.GroupVersionResource{Group: "apps.setplan.io", Version: "v1beta1", Resource: "statefulsets"}

// managed is a control plane with the built-in controller on, as providers have it, and an adapter for our own kind with the
// permissions of the manifests. The first caller starts it, and it ends with the run.
var managed struct {
	sync.Mutex
	*cluster
	adapter *process
	err     error
}

func startManaged() (*cluster, *process, error) {
	c, err := upCluster(shared.dir, "managed", "on")
	if err != nil {
		return nil, nil, err
	}
	for _, file := range []string{definition, "../../deploy/manifests/own-kind.yaml"} {
		if _, err := c.kubectl("apply", "-f", file); err != nil {
			return c, nil, err
		}
	}
	if err := c.grant(append(adapterRights, "ClusterRole/own-kind", "Role/own-kind-lease")...); err != nil {
		return c, nil, err
	}
	if err := c.serves(ownSets); err != nil {
		return c, nil, err
	}
	adapter, err := startAdapter(shared.dir, "managed-adapter", filepath.Join(c.dir, c.name, "adapter.kubeconfig"), shared.planner,
		"--own", ownKind, "--metrics-address", "127.0.0.1:0")
	return c, adapter, err
}

// serves waits until a definition that was applied is served, and discovery says so, which is another controller's work in the API server.
func (c *cluster) serves(resource schema.GroupVersionResource) error {
	client, err := dynamic.NewForConfig(c.config)
	if err != nil {
		return err
	}
	for range 100 {
		if _, err = client.Resource(resource).List(context.Background(), metav1.ListOptions{}); err == nil {
			_, err = c.client.Discovery().ServerResourcesForGroupVersion(resource.GroupVersion().String())
		}
		if err == nil {
			return nil
		}
		time.Sleep(100 * time.Millisecond)
	}
	return err
}

// onManaged makes a scene on that control plane.
func onManaged(t *testing.T) *scene {
	t.Helper()
	managed.Lock()
	if managed.cluster == nil && managed.err == nil {
		managed.cluster, managed.adapter, managed.err = startManaged()
	}
	c, err := managed.cluster, managed.err
	managed.Unlock()
	if err != nil {
		t.Fatal(err)
	}
	s := newScene(t, c)
	s.plans = managed.adapter
	return s
}

// downManaged stops the managed control plane if it was started. TestMain calls it.
func downManaged() error {
	managed.Lock()
	defer managed.Unlock()
	if managed.adapter != nil {
		managed.adapter.stop()
	}
	if managed.cluster == nil {
		return nil
	}
	return managed.cluster.down()
}

// of returns a client for sets of a kind in the scene.
func (s *scene) of(resource schema.GroupVersionResource) dynamic.ResourceInterface {
	s.Helper()
	client := must(dynamic.NewForConfig(s.config))(s)
	return client.Resource(resource).Namespace(s.namespace)
}

// underKind returns a set's manifest with another apiVersion and nothing else changed.
func (s *scene) underKind(set *appsv1.StatefulSet, apiVersion, kind string) *unstructured.Unstructured {
	s.Helper()
	text := must(yaml.Marshal(set))(s)
	out := &unstructured.Unstructured{}
	noError(s, yaml.Unmarshal(text, &out.Object))
	out.SetAPIVersion(apiVersion)
	out.SetKind(kind)
	return out
}

func (s *scene) createUnder(resource schema.GroupVersionResource, set *unstructured.Unstructured) {
	s.Helper()
	must(s.of(resource).Create(context.Background(), set, metav1.CreateOptions{}))(s)
}

// own edits a set of our own kind with kubectl, as its users do.
func (s *scene) own(words ...string) string {
	s.Helper()
	out := must(s.kubectl(append([]string{"-n", s.namespace}, words...)...))(s)
	return strings.TrimSpace(out)
}

// ownSettled waits until a set of a kind has observed its newest spec, and has these pods, ready and updated.
func (s *scene) ownSettled(resource schema.GroupVersionResource, name, pods string) *unstructured.Unstructured {
	s.Helper()
	var set *unstructured.Unstructured
	eventually(s, 90*time.Second, name+" settles", func() (err error) {
		if set, err = s.of(resource).Get(context.Background(), name, metav1.GetOptions{}); err != nil {
			return err
		}
		status, _ := set.Object["status"].(map[string]any)
		if status["observedGeneration"] != set.GetGeneration() || s.podNames() != pods {
			return fmt.Errorf("status %v, pods %s, want %s", status, s.podNames(), pods)
		}
		for _, count := range []string{"replicas", "readyReplicas", "updatedReplicas"} {
			if status[count] != int64(len(strings.Fields(pods))) {
				return fmt.Errorf("status %v", status)
			}
		}
		return nil
	})
	return set
}

var errStays = errors.New("it is still there")

func (s *scene) ownGone(resource schema.GroupVersionResource, name string) {
	s.Helper()
	eventually(s, 60*time.Second, name+" is gone with its pods", func() error {
		_, err := s.of(resource).Get(context.Background(), name, metav1.GetOptions{})
		if !apierrors.IsNotFound(err) || s.podNames() != "" {
			return errors.Join(errStays, err)
		}
		return nil
	})
}
