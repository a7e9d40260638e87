//go:build e2e

package e2e

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// TestRefusedTemplate: what only the API server finds invalid is reported, and nothing is done until it is corrected.
func TestRefusedTemplate(t *testing.T) {
	t.Parallel()
	s := onManaged(t)
	s.createUnder(ownSets, s.underKind(webSet("web", 1), ownKind, "StatefulSet"))
	s.ownSettled(ownSets, "web", "web-0")
	before := s.podUIDs()
	const mount = "/spec/template/spec/containers/0/volumeMounts/0/name"
	s.own("patch", "ssts", "web", "--type", "json", "-p", `[{"op":"replace","path":"`+mount+`","value":"missing"}]`)
	eventually(t, 60*time.Second, "an event reports it", func() error {
		if got := s.own("get", "events", "-o", "jsonpath={.items[*].message}"); !strings.Contains(got, `spec.template.spec.containers[0].volumeMounts[0].name: Not found: "missing"`) {
			return fmt.Errorf("events: %s", got)
		}
		return nil
	})
	s.samePods(before)
	s.own("patch", "ssts", "web", "--type", "json", "-p", `[{"op":"replace","path":"`+mount+`","value":"www"}]`)
	s.own("scale", "ssts/web", "--replicas", "2")
	s.ownSettled(ownSets, "web", "web-0 web-1")
	s.stays(time.Second, "web-0", func() error {
		if s.podUIDs()["web-0"] != before["web-0"] {
			return fmt.Errorf("web-0 was recreated")
		}
		return nil
	})
}

// TestRecreateStrategy: a set of our own kind has the strategy on any cluster, and whoever waits for upstream's condition sees it end.
func TestRecreateStrategy(t *testing.T) {
	t.Parallel()
	s := onManaged(t)
	set := webSet("web", 2)
	set.Spec.UpdateStrategy = appsv1.StatefulSetUpdateStrategy{Type: "Recreate"}
	s.createUnder(ownSets, s.underKind(set, ownKind, "StatefulSet"))
	s.ownSettled(ownSets, "web", "web-0 web-1")
	s.own("patch", "ssts", "web", "--type", "json", "-p", `[{"op":"replace","path":"/spec/template/spec/containers/0/image","value":"`+image2+`"}]`)
	s.own("wait", "ssts/web", "--for=condition=Progressing=false", "--timeout=60s")
	s.wantImages("web", "nginx:2", "nginx:2")
	s.caughtUp(s)
	if lived := s.pods(); !strings.HasSuffix(lived, born("web-0")+" "+born("web-1")) || strings.Count(lived, "gone") != 2 {
		t.Errorf("pods: %s", lived)
	}
}

// TestSeveralKinds: one adapter runs sets of apps/v1, of our own kind, and of a third party's.
func TestSeveralKinds(t *testing.T) {
	t.Parallel()
	s := lab(t)
	databases := schema.GroupVersionResource{Group: "example.com", Version: "v1", Resource: "databases"}
	text := must(os.ReadFile(definition))(t)
	foreign := strings.NewReplacer("statefulsets.apps.setplan.io", "databases.example.com", "group: apps.setplan.io", "group: example.com",
		"kind: StatefulSet\n", "kind: Database\n", "listKind: StatefulSetList", "listKind: DatabaseList", "plural: statefulsets", "plural: databases",
		"singular: statefulset", "singular: database", "- ssts", "- db", "name: v1beta1", "name: v1").Replace(string(text))
	file := s.file("databases.yaml")
	noError(t, os.WriteFile(file, []byte(foreign), 0o600))
	for resource, file := range map[schema.GroupVersionResource]string{ownSets: definition, databases: file} {
		must(s.kubectl("apply", "-f", file))(t)
		noError(t, s.serves(resource))
	}
	a := s.ownAdapter("kinds", s.adapterConfig("kinds", ""), nil, "--own", "apps/v1,apps.setplan.io/v1beta1,example.com/v1,databases")
	s.create(webSet("one", 2))
	s.createUnder(ownSets, s.underKind(webSet("two", 1), ownKind, "StatefulSet"))
	s.createUnder(databases, s.underKind(webSet("three", 1), "example.com/v1", "Database"))
	const pods = "one-0 one-1 three-0 two-0"
	eventually(t, 60*time.Second, "all have their pods", func() error {
		if got := s.podNames(); got != pods {
			return fmt.Errorf("%s", got)
		}
		return nil
	})
	s.settled("one")
	if owner := s.pod("three-0").OwnerReferences[0]; owner.APIVersion != "example.com/v1" || owner.Kind != "Database" {
		t.Errorf("three-0 is owned by %v", owner)
	}
	plans := a.fetch("/plans")
	for _, want := range []string{`"kind":"databases.example.com"`, `"kind":"statefulsets.apps.setplan.io"`} {
		if !strings.Contains(plans, want) {
			t.Errorf("/plans has no %s: %s", want, plans)
		}
	}
	if leases, err := s.client.CoordinationV1().Leases("kube-system").List(context.Background(), metav1.ListOptions{}); err != nil {
		t.Error(err)
	} else {
		held := 0
		for _, l := range leases.Items {
			if strings.HasSuffix(l.Name, "."+s.namespace) {
				held++
			}
		}
		if held != 3 {
			t.Errorf("%d leases, want one for each kind", held)
		}
	}
	for _, kind := range []struct {
		schema.GroupVersionResource
		name string
	}{{ownSets, "two"}, {databases, "three"}} {
		if err := s.of(kind.GroupVersionResource).Delete(context.Background(), kind.name, metav1.DeleteOptions{}); err != nil {
			t.Error(err)
		}
	}
}
