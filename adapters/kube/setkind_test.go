package kube

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"k8s.io/client-go/rest"
)

func TestParseResources(t *testing.T) {
	for _, test := range []struct{ words, want, reason string }{
		{"", "[]", ""},
		{"apps/v1", "[apps/v1, Resource=statefulsets]", ""},
		{"apps/v1 apps.setplan.io/v1beta1", "[apps/v1, Resource=statefulsets apps.setplan.io/v1beta1, Resource=statefulsets]", ""},
		{"example.com/v1 databases apps/v1", "[example.com/v1, Resource=databases apps/v1, Resource=statefulsets]", ""},
		{"apps/v2", "", "cannot be run"},
		{"apps/v1 deployments", "", "cannot be run"},
		{"databases", "", "must be GROUP/VERSION"},
		{"example.com/v1 databases queues", "", "must be GROUP/VERSION"},
		{"a/b/c", "", "neither"},
		{"example.com/v1 example.com/v2", "", "twice"},
	} {
		got, err := ParseResources(strings.Fields(test.words))
		if err == nil && fmt.Sprint(got) != test.want || (err != nil) != (test.reason != "") || err != nil && !strings.Contains(err.Error(), test.reason) {
			t.Errorf("%q: %v, %v, want %s %s", test.words, got, err, test.want, test.reason)
		}
	}
}

// TestKinds: the API server says what kind a resource has, and whether it can be run.
func TestKinds(t *testing.T) {
	server := httptest.NewServer(&apiServer{answers: map[string]answer{
		"GET /apis/example.com/v1": {http.StatusOK, `{"kind":"APIResourceList","apiVersion":"v1","groupVersion":"example.com/v1","resources":[
			{"name":"databases","kind":"Database","namespaced":true,"verbs":["get"]},{"name":"databases/status","kind":"Database","namespaced":true,"verbs":["get"]},
			{"name":"plain","kind":"Plain","namespaced":true,"verbs":["get"]},{"name":"wide","kind":"Wide","verbs":["get"]},{"name":"wide/status","kind":"Wide","verbs":["get"]}]}`},
		"GET /apis/example.com/v9": statusAnswer(http.StatusNotFound, "NotFound", "no such thing"),
	}})
	t.Cleanup(server.Close)
	for words, want := range map[string]string{
		"apps/v1":                  "apps/v1, Kind=StatefulSet",
		"example.com/v1 databases": "example.com/v1, Kind=Database",
		"example.com/v1 others":    "the API server serves no namespaced resource others",
		"example.com/v1 plain":     "no status subresource",
		"example.com/v1 wide":      "serves no namespaced resource wide",
		"example.com/v9":           "is its CustomResourceDefinition installed?",
	} {
		resources, err := ParseResources(strings.Fields(words))
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if kinds, err := Kinds(&rest.Config{Host: server.URL}, resources); err != nil {
			got = err.Error()
		} else {
			got = kinds[0].String()
		}
		if !strings.Contains(got, want) {
			t.Errorf("%s: %q, want %q", words, got, want)
		}
	}
}

// TestLeasesOfKinds: no lease of one kind can be confused with another kind's, for all namespaces or for one.
func TestLeasesOfKinds(t *testing.T) {
	of := func(group, resource string) SetKind {
		kind := StatefulSets()
		kind.Group, kind.Resource = group, resource
		return kind
	}
	kinds := []SetKind{StatefulSets(), of("apps.setplan.io", "statefulsets"), of("setplan.io", "statefulsets"), of("apps.setplan.io", "databases")}
	seen := map[string]string{}
	for _, kind := range kinds {
		for _, name := range append(kind.leasesFor(nil), kind.leasesFor([]string{"a", "statefulsets"})...) {
			if other, taken := seen[name]; taken {
				t.Errorf("%s is of %s and of %s", name, kind.Name(), other)
			}
			seen[name] = kind.Name()
		}
		for _, other := range kinds {
			if other != kind && strings.HasPrefix(other.leasesFor(nil)[0], kind.namespaceLeases()) {
				t.Errorf("the lease of %s passes for one of a namespace of %s", other.Name(), kind.Name())
			}
		}
	}
	if got := fmt.Sprint(StatefulSets().LeasesOver("a"), kinds[1].LeasesOver("a")); got != "[setplan-adapter setplan-adapter.a] "+
		"[setplan-adapter-statefulsets-apps-setplan-io setplan-adapter-statefulsets-apps-setplan-io.a]" {
		t.Error(got)
	}
}
