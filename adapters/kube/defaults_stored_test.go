package kube

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/setplan/setplan/adapters"
)

// whole is a spec with what the CustomResourceDefinition fills in.
const whole = `{"replicas":3,"revisionHistoryLimit":10,"podManagementPolicy":"OrderedReady","updateStrategy":{"type":"RollingUpdate"},"selector":{"matchLabels":{"a":"b"}},` +
	`"template":{"spec":{"x":1}},"volumeClaimTemplates":[{"metadata":{"name":"own"}}]}`

const atRest = `,"generation":4},"status":{"observedGeneration":4,"updateRevision":"web-1"}` // closes metadata

// revised puts a revision into the cache.
func (a *asking) revised(name, uid, data string) {
	a.Helper()
	owned := metav1.OwnerReference{APIVersion: "apps.setplan.io/v1beta1", Kind: "StatefulSet", Name: "web", UID: "u", Controller: new(true)}
	if uid != "u" {
		owned.UID = "other"
	}
	add(a.T, a.source.caches.of("default"), &appsv1.ControllerRevision{
		ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: name, OwnerReferences: []metav1.OwnerReference{owned}}, Data: runtime.RawExtension{Raw: []byte(data)}})
}

// rests puts a version of the set with this metadata and status into the cache.
func (a *asking) rests(spec, rest string) {
	a.Helper()
	object := setOf(a.T, `{"apiVersion":"apps.setplan.io/v1beta1","kind":"StatefulSet","spec":`+spec+`,"metadata":{"namespace":"default","name":"web","uid":"u"`+rest+`}`)
	light, err := lightSet(ownKind())(object)
	if err == nil {
		err = a.source.caches.of("default").sets.Update(light)
	}
	if err != nil {
		a.Fatal(err)
	}
}

const revisionData = `{"spec":{"template":{"$patch":"replace","metadata":{},"spec":{"stored":"then"}}}}`

// TestDefaultsInTheRevision: no process asks about a set that nobody has edited since its revision was made, so nothing that has changed
// meanwhile restarts its pods. A process that has seen the set does not ask after it is scaled, either.
func TestDefaultsInTheRevision(t *testing.T) {
	const then = `{"metadata":{},"spec":{"stored":"then"}} [{"metadata":{"name":"own"}}]`
	a := newAsking(t)
	a.revised("web-1", "u", revisionData)
	a.rests(whole, atRest)
	a.holds("at rest", then, 0)
	a.server.answers[question] = statusAnswer(http.StatusForbidden, "Forbidden", "nobody may ask any more")
	a.rests(strings.Replace(whole, `"replicas":3`, `"replicas":5`, 1), `,"generation":5},"status":{"observedGeneration":4,"updateRevision":"web-1"}`)
	if set := a.holds("scaled", then, 0); set.GetReplicas() != 5 {
		t.Errorf("replicas %d", set.GetReplicas())
	}
	a.rests(strings.Replace(whole, `"x":1`, `"x":2`, 1), `,"generation":6},"status":{"observedGeneration":4,"updateRevision":"web-1"}`)
	if _, err := a.snapshot(); err == nil {
		t.Error("a template that was edited got the defaults of the one before")
	}
}

// TestClaimEditsAskNothing: what claims follow is no question, before and after a process has asked. The pod template stays as it was, and an API server that
// nobody may ask holds back no disk.
func TestClaimEditsAskNothing(t *testing.T) {
	const edited = `{"metadata":{"labels":{"a":"b"},"name":"own"},"spec":{"resources":{"requests":{"storage":"2Gi"}},"volumeAttributesClassName":"gold"}}`
	forbid := func(a *asking) {
		a.server.answers[question] = statusAnswer(http.StatusForbidden, "Forbidden", "nobody may ask any more")
	}
	a := newAsking(t)
	a.revised("web-1", "u", revisionData)
	a.rests(whole, atRest)
	a.holds("at rest", `{"metadata":{},"spec":{"stored":"then"}} [{"metadata":{"name":"own"}}]`, 0)
	forbid(a)
	a.rests(strings.Replace(whole, `{"metadata":{"name":"own"}}`, edited, 1), `,"generation":5},"status":{"observedGeneration":4,"updateRevision":"web-1"}`)
	a.holds("claims edited", `{"metadata":{},"spec":{"stored":"then"}} [`+edited+`]`, 0)

	const asked = `{"metadata":{"name":"data","annotations":{"gone":"by then"}},"spec":{"accessModes":["ReadWriteOnce"],"resources":{"requests":{"storage":"1Gi"}}}}`
	a = newAsking(t)
	a.says(http.StatusCreated, `{"spec":{"template":{"spec":{"filled":"in"}},"volumeClaimTemplates":[`+strings.Replace(asked, `"spec":{`, `"spec":{"volumeMode":"Filesystem",`, 1)+`]}}`)
	spec := func(template string) string {
		return `{"template":{"spec":{"x":1}},"volumeClaimTemplates":[` + template + `]}`
	}
	a.set(spec(asked), "")
	a.holds("asked", `{"spec":{"filled":"in"}} [{"metadata":{"annotations":{"gone":"by then"},"name":"data"},"spec":{"accessModes":["ReadWriteOnce"],"resources":{"requests":{"storage":"1Gi"}},"volumeMode":"Filesystem"}}]`, 1)
	forbid(a)
	a.set(spec(`{"metadata":{"name":"data","labels":{"a":"b"}},"spec":{"accessModes":["ReadWriteOnce"],"resources":{"requests":{"storage":"2Gi"}}}}`), "")
	a.holds("edited", `{"spec":{"filled":"in"}} [{"metadata":{"labels":{"a":"b"},"name":"data"},"spec":{"accessModes":["ReadWriteOnce"],"resources":{"requests":{"storage":"2Gi"}},"volumeMode":"Filesystem"}}]`, 1)
	a.set(spec(`{"metadata":{"name":"data"},"spec":{"accessModes":["ReadWriteMany"]}}`), "")
	if _, err := a.snapshot(); err == nil {
		t.Error("other access modes got the answer of the ones before")
	}
}

// TestDefaultsNotInTheRevision: a revision that may not hold the answer for this spec is not used.
func TestDefaultsNotInTheRevision(t *testing.T) {
	for reason, row := range map[string]struct{ spec, rest, uid, data string }{
		"edited":               {whole, `,"generation":5},"status":{"observedGeneration":4,"updateRevision":"web-1"}`, "u", revisionData},
		"not looked at yet":    {whole, `,"generation":1}`, "u", revisionData},
		"no generation":        {whole, `},"status":{"updateRevision":"web-1"}`, "u", revisionData},
		"another revision":     {whole, strings.Replace(atRest, "web-1", "web-2", 1), "u", revisionData},
		"another set's":        {whole, atRest, "other", revisionData},
		"no template":          {whole, atRest, "u", `{"spec":{"template":{"$patch":"replace"}}}`},
		"no object":            {whole, atRest, "u", `{"spec":[]}`},
		"nothing is filled in": {`{"template":{"spec":{"x":1}}}`, atRest, "u", revisionData},
	} {
		a := newAsking(t)
		a.revised("web-1", row.uid, row.data)
		a.rests(row.spec, row.rest)
		a.holds(reason, filledIn, 1)
	}
}

// TestStrategyAtRest: as under apps/v1, an empty strategy gets a partition of 0, and one with only a type gets none.
func TestStrategyAtRest(t *testing.T) {
	for given, want := range map[string]string{
		`{}`:                                "RollingUpdate true 0",
		`{"rollingUpdate":{"partition":2}}`: "RollingUpdate true 2",
		`{"type":"RollingUpdate"}`:          "RollingUpdate false 0",
		`{"type":"OnDelete"}`:               "OnDelete false 0",
	} {
		a := newAsking(t)
		a.revised("web-1", "u", revisionData)
		a.rests(strings.Replace(whole, `{"type":"RollingUpdate"}`, given, 1), atRest)
		set, err := a.snapshot()
		if err != nil || len(a.server.requests) > 0 {
			t.Fatal(err, a.server.requests)
		}
		rolling := set.GetUpdateStrategy().GetRollingUpdate()
		if got := fmt.Sprintf("%s %t %d", set.GetUpdateStrategy().GetType(), rolling != nil, rolling.GetPartition()); got != want {
			t.Errorf("%s: %s, want %s", given, got, want)
		}
	}
}

// TestDefaultsAfterARestart counts what a new process asks about a thousand sets at rest.
func TestDefaultsAfterARestart(t *testing.T) {
	a := newAsking(t)
	scope := a.source.caches.of("default")
	for i := range 1000 {
		name := fmt.Sprintf("web%d", i)
		uid := "uid-" + name
		light, err := lightSet(ownKind())(setOf(t, `{"apiVersion":"apps.setplan.io/v1beta1","kind":"StatefulSet","spec":`+whole+
			`,"metadata":{"namespace":"default","name":"`+name+`","uid":"`+uid+`"`+strings.ReplaceAll(atRest, "web-1", name+"-1")+`}`))
		if err == nil {
			err = scope.sets.Update(light)
		}
		if err != nil {
			t.Fatal(err)
		}
		add(t, scope, &appsv1.ControllerRevision{ObjectMeta: metaOf(name+"-1", uid), Data: runtime.RawExtension{Raw: []byte(revisionData)}})
		if _, err := a.source.Snapshot(t.Context(), adapters.Key{Namespace: "default", Name: name}); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(a.server.requests); n != 0 {
		t.Errorf("%d requests", n)
	}
}
