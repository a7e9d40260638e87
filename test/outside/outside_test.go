package outside

import (
	"net/http/httptest"
	"strings"
	"testing"

	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes/scheme"
)

// TestRead: paths are parsed with and without a group, a namespace, a name and a subresource.
func TestRead(t *testing.T) {
	for line, want := range map[string]request{
		"GET /api/v1/pods?watch=true":                              {verb: "GET", resource: "pods", watch: true},
		"GET /api/v1/pods?watch=0":                                 {verb: "GET", resource: "pods"},
		"DELETE /api/v1/namespaces/n/pods/web-0":                   {verb: "DELETE", namespace: "n", resource: "pods", name: "web-0"},
		"PATCH /apis/apps/v1/namespaces/n/statefulsets/web/status": {verb: "PATCH", namespace: "n", resource: "statefulsets", name: "web", sub: "status"},
		"POST /apis/apps/v1/namespaces/n/controllerrevisions":      {verb: "POST", namespace: "n", resource: "controllerrevisions", name: "made"},
		"GET /version": {verb: "GET"},
		"GET /apis":    {verb: "GET"},
		"GET /apis/coordination.k8s.io/v1/namespaces/kube-system/leases/of-x": {verb: "GET", namespace: "kube-system", resource: "leases", name: "of-x"},
	} {
		verb, path, _ := strings.Cut(line, " ")
		got := read(httptest.NewRequest(verb, path, nil), []byte(`{"metadata":{"name":"made"}}`))
		if got.verb != want.verb || got.namespace != want.namespace || got.resource != want.resource || got.name != want.name || got.sub != want.sub || got.watch != want.watch {
			t.Errorf("%s is read as %+v", line, got)
		}
	}
}

// TestCarried: preconditions are found wherever a deletion, an eviction or a patch may have them.
func TestCarried(t *testing.T) {
	deletion := `{"preconditions":{"uid":"u","resourceVersion":"5"}}`
	uid, version := types.UID("u"), "5"
	binary, err := runtime.Encode(protobuf.NewSerializer(scheme.Scheme, scheme.Scheme), &policyv1.Eviction{
		TypeMeta:      metav1.TypeMeta{APIVersion: "policy/v1", Kind: "Eviction"},
		DeleteOptions: &metav1.DeleteOptions{Preconditions: &metav1.Preconditions{UID: &uid, ResourceVersion: &version}}})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range []*request{
		{verb: "DELETE", body: []byte(deletion)},
		{verb: "POST", sub: "eviction", body: []byte(`{"metadata":{"uid":"x"},"deleteOptions":` + deletion + `}`)},
		{verb: "POST", sub: "eviction", body: binary},
		{verb: "PATCH", body: []byte(`{"metadata":{"uid":"u","resourceVersion":"5"}}`)},
		{verb: "PATCH", body: []byte(` [{"op":"test","path":"/metadata/uid","value":"u"},{"op":"test","path":"/metadata/resourceVersion","value":"5"}]`)},
	} {
		if uid, version := carried(r); uid != "u" || version != "5" {
			t.Errorf("%s %s carries %q and %q: %s", r.verb, r.sub, uid, version, r.body)
		}
	}
	for _, body := range []string{"", "{}", `{"deleteOptions":{}}`, `{"metadata":{"uid":"u","resourceVersion":"5"}}`} {
		for _, r := range []*request{{verb: "DELETE", body: []byte(body)}, {verb: "POST", sub: "eviction", body: []byte(body)}} {
			if uid, version := carried(r); uid != "" || version != "" {
				t.Errorf("%s %s carries %q and %q: %s", r.verb, r.sub, uid, version, r.body)
			}
		}
	}
}

// TestReports: each form of the report tells passed, failed and excepted cases apart.
func TestReports(t *testing.T) {
	results := []Result{{Rule: "A1", Name: "good", Seconds: 1}, {Rule: "A2", Name: "bad", Findings: []string{"<x>", "y"}},
		{Rule: "A3", Name: "excused", Findings: []string{"z"}, Excepted: "no need"}, {Rule: "A4", Name: "not needed", Excepted: "once"}}
	var text, asJSON, asXML strings.Builder
	passed := ""
	for _, r := range results {
		Text(&text, r)
		if r.Passed() {
			passed += r.Rule
		}
	}
	if err := JSON(&asJSON, results); err != nil {
		t.Fatal(err)
	}
	if err := JUnit(&asXML, results); err != nil {
		t.Fatal(err)
	}
	for what, row := range map[string][2]string{
		"passed":   {passed, "A1A3"},
		"text":     {text.String(), "FAIL     A2   bad (0.0 s)\n         <x>\n         y\nEXCEPTED A3   excused (0.0 s)\n         z\n         because: no need\n"},
		"JSON":     {asJSON.String(), `"rule": "A3",`},
		"failures": {asXML.String(), `tests="4" failures="1" skipped="2"`},
		"findings": {asXML.String(), `<failure message="&lt;x&gt;&#xA;y">`},
	} {
		if !strings.Contains(row[0], row[1]) {
			t.Errorf("%s: %q does not have %q", what, row[0], row[1])
		}
	}
}

// TestCasesHaveNames: exceptions and -only name each case.
func TestCasesHaveNames(t *testing.T) {
	seen := map[string]bool{}
	for _, id := range Cases() {
		if seen[id] || strings.ContainsAny(id, "=\n") {
			t.Errorf("%q is not a valid name, or two cases have it", id)
		}
		seen[id] = true
	}
}
