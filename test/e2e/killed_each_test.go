//go:build e2e

package e2e

import (
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/watch"
)

const killedHistory = "testdata/killed-at-each-write.txt"

var rewriteKilled = flag.Bool("rewrite-killed", false, "write "+killedHistory+" anew, with setplan-adapter: E2E_KIND=apps/v1 go test -tags e2e ./test/e2e -run KilledAtEachWrite -args -rewrite-killed")

// TestKilledAtEachWrite: the adapter is killed after each of its writes, over the whole life of a set. Whatever its language, the pods, claims
// and revisions have the history that the file has from setplan-adapter: the same objects with the same content, in the same order. Of the
// set's status only the last counts: which counters are written in between depends on when.
func TestKilledAtEachWrite(t *testing.T) {
	t.Parallel()
	s := lab(t)
	k := &eachWrite{scene: s, proxy: newProxy(t, s.config)}
	k.config = s.adapterConfig("proxied", k.proxy.URL)
	s.create(webSet("web", 2, deletedWithAll))
	k.settles()
	s.image("web", "registry.example/nginx:2")
	k.settles()
	s.image("web", "registry.example/nginx:1")
	k.settles()
	s.scale("web", 1)
	k.settles()
	s.claimsBecome("www-web-0")
	s.unbroken()
	k.proxy.preconditions(t)
	// A claim and a pod for each of two ordinals, two revisions and their new number, two updates, owners and the deletion of a pod.
	if k.kills < 20 {
		t.Errorf("it was killed %d times, there are more writes", k.kills)
	}

	t.Logf("it was killed %d times", k.kills)

	got := s.retold() + s.lastStatus("web")
	if *rewriteKilled {
		noError(t, os.WriteFile(killedHistory, []byte(got), 0o600))
	}
	want := must(os.ReadFile(killedHistory))(t)
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); diff != "" {
		t.Errorf("the history after %d kills (-want +got):\n%s", k.kills, diff)
	}
}

// eachWrite runs an adapter that is killed as soon as the API server has carried out a write of it.
type eachWrite struct {
	*scene
	proxy  *proxy
	config string
	kills  int
	frozen *freezer // of the adapter that runs; nil: none runs
	now    *adapter
}

// settles kills adapters until the set is in the desired state, and one has nothing left to write.
func (k *eachWrite) settles() {
	k.Helper()
	k.until(func() error { return k.isSettled("web") })
}

// until kills adapters until something holds, and one has nothing left to write.
func (k *eachWrite) until(holds func() error) {
	k.Helper()
	for {
		if k.frozen == nil {
			k.frozen = k.proxy.freeze(true, writesOfSets)
			k.now = k.ownAdapter(fmt.Sprint("adapter-", k.kills), k.config, nil, unelected...)
		}
		select {
		case c := <-k.frozen.frozen:
			k.now.kill()
			k.Logf("killed after %s", c.what())
			k.kills, k.frozen = k.kills+1, nil
		case <-time.After(busy * 2 * time.Second):
			if holds() == nil {
				return
			}
		}
	}
}

// writesOfSets are writes but for those about the adapter itself, what it may do, and its dry runs: it makes no sets.
func writesOfSets(c call) bool {
	return c.verb != http.MethodGet && c.path != "statefulsets" && !strings.HasPrefix(c.path, "events") && !strings.HasPrefix(c.path, "leases") &&
		!strings.HasPrefix(c.path, "/apis/authorization.k8s.io/")
}

// retold is the history of pods, claims and revisions as text that is the same for the same history: with the content of what was created,
// and what became of it, without times, uids and versions. Contents stand at the end, and are written once.
func (h *history) retold() string {
	var out, contents strings.Builder
	numbers := map[string]int{}
	number := func(c change) int {
		content := contentOf(c.object)
		if numbers[content] == 0 {
			numbers[content] = len(numbers) + 1
			fmt.Fprintf(&contents, "%d %s\n", numbers[content], content)
		}
		return numbers[content]
	}
	created, last := map[string][]change{}, map[string]change{}
	for _, c := range h.all() {
		if c.event == watch.Added {
			created[c.name()] = append(created[c.name()], c)
		}
		last[string(c.object.GetUID())] = c
	}
	for _, word := range h.events("Pod", "PersistentVolumeClaim", "ControllerRevision") {
		fmt.Fprint(&out, word)
		if name, isNew := strings.CutPrefix(word, "+"); isNew {
			fmt.Fprint(&out, " ", number(created[name][0]))
			created[name] = created[name][1:]
		}
		fmt.Fprintln(&out)
	}
	for _, c := range h.all() {
		if c.event == watch.Added && c.kind() != "StatefulSet" {
			fmt.Fprintf(&out, "%s at last %d\n", c.name(), number(last[string(c.object.GetUID())]))
		}
	}
	return out.String() + contents.String()
}

// contentOf is an object, without what the API server gives each one anew, and what others than the adapter decide.
func contentOf(object *unstructured.Unstructured) string {
	object = object.DeepCopy()
	delete(object.Object, "status")
	for _, path := range []string{"metadata uid", "metadata resourceVersion", "metadata creationTimestamp", "metadata deletionTimestamp",
		"metadata managedFields", "metadata namespace", "spec volumeName", "spec nodeName"} {
		unstructured.RemoveNestedField(object.Object, strings.Fields(path)...)
	}
	owners := object.GetOwnerReferences()
	for i := range owners {
		owners[i].UID = ""
	}
	object.SetOwnerReferences(owners)
	text, err := json.Marshal(object.Object)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

// lastStatus is the status of a set without times.
func (s *scene) lastStatus(name string) string {
	s.Helper()
	status := s.get(name).Status
	for i := range status.Conditions {
		status.Conditions[i].LastTransitionTime = metav1.Time{}
	}
	text := must(json.Marshal(status))(s)
	return string(text) + "\n"
}
