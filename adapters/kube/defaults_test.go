package kube

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// question is the path of the dry run that asks for defaults.
const question = "POST /apis/apps/v1/namespaces/default/statefulsets"

func ownKind() SetKind {
	kind := StatefulSets()
	kind.Group, kind.Version = "apps.setplan.io", "v1beta1"
	return kind
}

// asking is a source with one set of our own kind, and the API server that it asks.
type asking struct {
	*testing.T
	server *apiServer
	source *Source
	now    time.Time
}

func newAsking(t *testing.T) *asking {
	server, api := newAPIServer(t, map[string]answer{})
	a := &asking{T: t, server: server, now: time.Unix(1_700_000_000, 0)}
	caches := filledCaches(t)
	caches.kind = ownKind()
	a.source = NewSource(ownKind(), caches, api, func() time.Time { return a.now })
	a.says(http.StatusCreated, `{"metadata":{"name":"x"},"spec":{"replicas":1,"podManagementPolicy":"OrderedReady","updateStrategy":{"type":"RollingUpdate",
		"rollingUpdate":{"partition":0}},"template":{"spec":{"filled":"in"}},"volumeClaimTemplates":[{"metadata":{"name":"data"},"spec":{"volumeMode":"Filesystem"}}]}}`)
	return a
}

func (a *asking) says(code int, body string) { a.server.answers[question] = answer{code, body} }

// set is a version of the set.
func (a *asking) set(spec, metadata string) {
	a.Helper()
	object := setOf(a.T, `{"apiVersion":"apps.setplan.io/v1beta1","kind":"StatefulSet","metadata":{"namespace":"default","name":"web","uid":"u"`+metadata+`},"spec":`+spec+`}`)
	light, err := lightSet(ownKind())(object)
	if err == nil {
		err = a.source.caches.of("default").sets.Update(light)
	}
	if err != nil {
		a.Fatal(err)
	}
}

func (a *asking) snapshot() (*setplanv1.StatefulSet, error) {
	snapshot, err := a.source.Snapshot(context.Background(), webKey)
	return snapshot.GetSet(), err
}

// holds takes a snapshot, and checks its templates and the number of questions so far.
func (a *asking) holds(reason, want string, questions int) *setplanv1.StatefulSet {
	a.Helper()
	set, err := a.snapshot()
	if err != nil {
		a.Fatalf("%s: %v", reason, err)
	}
	if got := fmt.Sprintf("%s %s", set.GetPodTemplate(), set.GetClaimTemplates()); got != want {
		a.Errorf("%s: templates %s, want %s", reason, got, want)
	}
	if got := len(a.server.requests); got != questions {
		a.Errorf("%s: %d questions, want %d", reason, got, questions)
	}
	return set
}

const (
	plainSpec = `{"replicas":3,"selector":{"matchLabels":{"a":"b"}},"template":{"spec":{"x":null}},"pause":"Updates","updateStrategy":{"rollingUpdate":{"maxUnavailable":2}}}`
	filledIn  = `{"spec":{"filled":"in"}} [{"metadata":{"name":"data"},"spec":{"volumeMode":"Filesystem"}}]`
)

// TestDefaults: templates come from the API server, all else from the set, and nothing is asked twice.
func TestDefaults(t *testing.T) {
	a := newAsking(t)
	a.set(plainSpec, "")
	set := a.holds("first", filledIn, 1)
	asked := a.server.requests[0]
	for _, part := range []string{"dryRun=All", "fieldValidation=Ignore"} {
		if !strings.Contains(asked.Line, part) {
			t.Errorf("%s has no %s", asked.Line, part)
		}
	}
	if want := `{"apiVersion":"apps/v1","kind":"StatefulSet","metadata":{"generateName":"setplan-adapter-"},"spec":{"selector":{"matchLabels":{"a":"b"}},` +
		`"template":{"spec":{"x":null}},"updateStrategy":{"rollingUpdate":{"maxUnavailable":2}}}}`; asked.Body != want {
		t.Errorf("asked %s, want %s", asked.Body, want)
	}
	rolling := set.GetUpdateStrategy().GetRollingUpdate()
	if set.GetReplicas() != 3 || set.GetUpdateStrategy().GetType() != "RollingUpdate" || rolling.GetMaxUnavailable().GetCount() != 2 ||
		string(set.GetOwnFields()) != `{"pause":"Updates"}` || set.GetApiVersion() != "apps.setplan.io/v1beta1" || set.GetRefusal() != "" {
		t.Errorf("the set is %v", set)
	}
	a.holds("again", filledIn, 1)
	a.set(strings.Replace(plainSpec, `"replicas":3,`, `"replicas":7,`, 1), `,"annotations":{"x":"y"}`)
	if set := a.holds("scaled", filledIn, 1); set.GetReplicas() != 7 || set.GetAnnotations()["x"] != "y" {
		t.Errorf("scaled: %v", set)
	}
	a.says(http.StatusCreated, `{"spec":{"template":{"edited":1}}}`)
	a.set(strings.Replace(plainSpec, `"x":null`, `"x":1`, 1), "")
	a.holds("edited", `{"edited":1} []`, 2)
	a.source.defaults.Forgotten(webKey)
	a.holds("gone and recreated", `{"edited":1} []`, 3)
	a.set(strings.Replace(plainSpec, `{"rollingUpdate":{"maxUnavailable":2}}`, `{"type":"Recreate"}`, 1), "")
	set = a.holds("a strategy that the API server may refuse", `{"edited":1} []`, 4)
	if asked := a.server.requests[3].Body; strings.Contains(asked, "updateStrategy") || set.GetUpdateStrategy().GetType() != "Recreate" {
		t.Errorf("asked %s; the set is %v", asked, set)
	}
}

// TestLaterFields: fields that only a newer API server knows get the same text under our own kind, where they come with the answer, as
// under apps/v1, where they come with the set. So revisions have the same name, and pods are the same.
func TestLaterFields(t *testing.T) {
	const spec = `{"replicas":3,"selector":{"matchLabels":{"a":"b"}},"template":{"metadata":{"labels":{"a":"b"}},"spec":{"later":{"n":1.0,"big":9007199254740993},` +
		`"containers":[{"name":"c","image":"i","laterToo":"\u003c<"}]}},"volumeClaimTemplates":[{"metadata":{"name":"data"},"spec":{"later":[1e3,null]}}]}`
	a := newAsking(t)
	a.says(http.StatusCreated, `{"metadata":{"name":"x"},"spec":`+spec+`}`)
	a.set(spec, "")
	own, err := a.snapshot()
	if err != nil {
		t.Fatal(err)
	}
	object := setOf(t, `{"apiVersion":"apps/v1","kind":"StatefulSet","metadata":{"namespace":"default","name":"web","uid":"u"},"spec":`+spec+`}`)
	light, err := lightSet(StatefulSets())(object)
	if err != nil {
		t.Fatal(err)
	}
	builtIn := light.(*cachedSet).message
	of := func(set *setplanv1.StatefulSet) string {
		return fmt.Sprintf("%s\n%s", set.GetPodTemplate(), set.GetClaimTemplates())
	}
	if diff := cmp.Diff(of(builtIn), of(own)); diff != "" {
		t.Errorf("apps/v1 (-), our own kind (+)\n%s", diff)
	}
	if !strings.Contains(string(own.GetPodTemplate()), `"later"`) {
		t.Error("the field is lost")
	}
}

// TestDefaultsRefused: a refusal is forwarded in the API server's words, and asked about again after a while.
func TestDefaultsRefused(t *testing.T) {
	for code, body := range map[int]string{
		http.StatusForbidden: `{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"Forbidden","code":403,"message":"admission webhook \"policy.example.com\" denied the request: no team label"}`,
		http.StatusUnprocessableEntity: `{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"Invalid","code":422,"message":"StatefulSet setplan-adapter-x1 is invalid",
			"details":{"causes":[{"field":"spec.a","message":"Required value"},{"message":"b"}]}}`,
		http.StatusBadRequest: `{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"BadRequest","code":400,"message":"StatefulSet in version v1 cannot be handled as a StatefulSet: x"}`,
	} {
		a := newAsking(t)
		a.says(code, body)
		a.set(plainSpec, "")
		want := map[int]string{403: `admission webhook "policy.example.com" denied the request: no team label`, 422: "spec.a: Required value; b", 400: "StatefulSet in version v1 cannot be handled as a StatefulSet: x"}[code]
		if set := a.holds("refused", `{"spec":{"x":null}} []`, 1); set.GetRefusal() != want {
			t.Errorf("%d: refusal %q, want %q", code, set.GetRefusal(), want)
		}
		a.now = a.now.Add(refusedFor - time.Second)
		a.holds("again", `{"spec":{"x":null}} []`, 1)
		a.now = a.now.Add(time.Second)
		a.says(http.StatusCreated, `{"spec":{"template":{"corrected":1}}}`)
		if set := a.holds("after a while", `{"corrected":1} []`, 2); set.GetRefusal() != "" {
			t.Errorf("%d: the refusal stays: %q", code, set.GetRefusal())
		}
	}
}

// TestDefaultsFail: after any other failure there is no snapshot, and earlier answers still count.
func TestDefaultsFail(t *testing.T) {
	for _, failure := range []answer{
		statusAnswer(http.StatusForbidden, "Forbidden", "no right"),
		statusAnswer(http.StatusForbidden, "Forbidden", "exceeded quota: one, requested: count/statefulsets.apps=1, used: 1, limited: 1"),
		statusAnswer(http.StatusInternalServerError, "InternalError", `failed calling webhook "x": connection refused`),
		statusAnswer(http.StatusBadRequest, "BadRequest", "admission webhook x does not support dry run"),
		statusAnswer(http.StatusInternalServerError, "InternalError", "no webhook"),
		statusAnswer(http.StatusTooManyRequests, "TooManyRequests", "later"),
		{http.StatusCreated, `{"spec":{}}`},
		{http.StatusCreated, `no JSON`},
	} {
		a := newAsking(t)
		a.set(plainSpec, "")
		a.holds("before", filledIn, 1)
		a.server.answers[question] = failure
		a.holds("the same templates", filledIn, 1)
		edited := strings.Replace(plainSpec, `"x":null`, `"x":1`, 1)
		a.set(edited, "")
		if set, err := a.snapshot(); err == nil {
			t.Errorf("%v: a snapshot %v", failure, set)
		}
		a.set(edited, `,"deletionTimestamp":"2024-01-01T00:00:00Z"`)
		asked := len(a.server.requests)
		a.holds("a deleted set needs none", `{"spec":{"x":1}} []`, asked)
		a.set(plainSpec, "")
		a.holds("edited back", filledIn, asked)
	}
}

// TestDefaultsOfBuiltin: sets of apps/v1 come with their defaults, so nothing is asked about them.
func TestDefaultsOfBuiltin(t *testing.T) {
	caches := filledCaches(t, webSet(t, "u"))
	server, api := newAPIServer(t, nil)
	if _, err := NewSource(StatefulSets(), caches, api, time.Now).Snapshot(context.Background(), webKey); err != nil || len(server.requests) > 0 {
		t.Errorf("%v, asked %v", err, server.requests)
	}
}
