//go:build e2e

package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"

	"github.com/setplan/setplan/adapters"
	"github.com/setplan/setplan/adapters/kube"
	"github.com/setplan/setplan/test/conformance"
)

// TestConformance runs the suite for adapters against a real API server. Nothing else works in its cluster: a scheduler or a
// volume controller would change resource versions during the cases.
func TestConformance(t *testing.T) {
	t.Parallel()
	c := bareCluster(t, "conformance")
	conformance.Run(t, func(t *testing.T) conformance.Harness { return newHarness(t, c) })
}

// harness runs the kube adapter in its own namespace. It implements conformance.Harness.
type harness struct {
	t         *testing.T
	cluster   *cluster
	namespace string
	source    *kube.Source
	executor  *kube.Executor
	seen      map[types.UID]adapters.Write
}

func newHarness(t *testing.T, c *cluster) *harness {
	t.Helper()
	namespace := must(c.client.CoreV1().Namespaces().Create(context.Background(),
		&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{GenerateName: "conformance-"}}, metav1.CreateOptions{}))(t)
	clients := must(kube.NewClients(c.config))(t)
	kind := kube.StatefulSets()
	caches := kube.NewCaches(kind, clients, []string{namespace.Name})
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(cancel)
	noError(t, caches.Start(ctx, slog.New(slog.NewTextHandler(io.Discard, nil))))
	source := kube.NewSource(kind, caches, clients.API, time.Now)
	return &harness{
		t: t, cluster: c, namespace: namespace.Name, seen: map[types.UID]adapters.Write{},
		source: source, executor: kube.NewExecutor(kind, clients.API, source),
	}
}

// Source implements conformance.Harness; so do all methods below.
func (h *harness) Source() adapters.Source     { return h.source }
func (h *harness) Executor() adapters.Executor { return h.executor }
func (h *harness) Namespace() string           { return h.namespace }

func (h *harness) Create(manifest []byte) []byte {
	h.t.Helper()
	var object metav1.PartialObjectMetadata
	noError(h.t, json.Unmarshal(manifest, &object))
	stored := must(h.on(object.Kind, rest.Interface.Post).SetHeader("Content-Type", "application/json").
		Body(manifest).DoRaw(context.Background()))(h.t)
	return stored
}

func (h *harness) Get(kind, name string) []byte {
	h.t.Helper()
	object, err := h.on(kind, rest.Interface.Get).Name(name).DoRaw(context.Background())
	if apierrors.IsNotFound(err) {
		return nil
	}
	if err != nil {
		h.t.Fatal(err)
	}
	return object
}

func (h *harness) Delete(kind, name string) {
	h.t.Helper()
	must(h.on(kind, rest.Interface.Delete).Name(name).DoRaw(context.Background()))(h.t)
	if kind == "PersistentVolumeClaim" { // no controller here removes its protection
		patchWith := func(client rest.Interface) *rest.Request { return client.Patch(types.MergePatchType) }
		must(h.on(kind, patchWith).Name(name).Body([]byte(`{"metadata":{"finalizers":null}}`)).DoRaw(context.Background()))(h.t)
	}
	eventually(h.t, 30*time.Second, kind+" "+name+" is gone", func() error {
		if h.Get(kind, name) != nil {
			return fmt.Errorf("it is there")
		}
		return nil
	})
}

func (h *harness) PatchStatus(kind, name string, patch []byte) {
	h.t.Helper()
	body := append(append([]byte(`{"status":`), patch...), '}')
	patchWith := func(client rest.Interface) *rest.Request { return client.Patch(types.MergePatchType) }
	must(h.on(kind, patchWith).Name(name).SubResource("status").Body(body).DoRaw(context.Background()))(h.t)
}

// WaitSynced waits until the cache has every object as it is now, and none that has been deleted since an earlier call.
func (h *harness) WaitSynced() {
	h.t.Helper()
	var writes []adapters.Write
	there := map[types.UID]bool{}
	for kind := range resources {
		if kind == "PodDisruptionBudget" {
			continue // which no cache has
		}
		body := must(h.on(kind, rest.Interface.Get).DoRaw(context.Background()))(h.t)
		var list metav1.PartialObjectMetadataList
		noError(h.t, json.Unmarshal(body, &list))
		for _, item := range list.Items {
			write := adapters.Write{Kind: kind, Name: item.Name, UID: string(item.UID), ResourceVersion: item.ResourceVersion}
			writes, there[item.UID] = append(writes, write), true
			h.seen[item.UID] = write
		}
	}
	for uid, write := range h.seen {
		if !there[uid] {
			write.Deleted, write.ResourceVersion = true, ""
			writes = append(writes, write)
		}
	}
	for _, write := range writes {
		eventually(h.t, 30*time.Second, write.Kind+" "+write.Name+" in the cache", func() error {
			if !h.source.Observed(context.Background(), adapters.Key{Namespace: h.namespace, Name: write.Name}, write) {
				return fmt.Errorf("%+v is not shown", write)
			}
			return nil
		})
	}
}

// resources are the API's resource names, by kind.
var resources = map[string]string{
	"StatefulSet": "statefulsets", "ControllerRevision": "controllerrevisions", "Pod": "pods", "PersistentVolumeClaim": "persistentvolumeclaims",
	"PodDisruptionBudget": "poddisruptionbudgets",
}

// on begins a request for objects of a kind in the namespace.
func (h *harness) on(kind string, verb func(rest.Interface) *rest.Request) *rest.Request {
	h.t.Helper()
	client := h.cluster.client.CoreV1().RESTClient()
	if kind == "StatefulSet" || kind == "ControllerRevision" {
		client = h.cluster.client.AppsV1().RESTClient()
	}
	if kind == "PodDisruptionBudget" {
		client = h.cluster.client.PolicyV1().RESTClient()
	}
	resource, known := resources[kind]
	if !known {
		h.t.Fatalf("no resource holds a %s", kind)
	}
	return verb(client).Namespace(h.namespace).Resource(resource).SetHeader("Accept", "application/json")
}

// bareCluster is a control plane without any controller.
func bareCluster(t *testing.T, name string) *cluster {
	t.Helper()
	c := ownCluster(t, name, "off")
	for _, component := range []string{"kwok", "scheduler", "controller-manager"} {
		must(c.local(context.Background(), "stop", component))(t)
	}
	return c
}
