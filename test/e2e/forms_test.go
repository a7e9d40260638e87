//go:build e2e

package e2e

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/client-go/rest"

	"google.golang.org/protobuf/testing/protocmp"

	"github.com/setplan/setplan/adapters"
	"github.com/setplan/setplan/adapters/kube"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
)

// formSets are sets whose JSON has distinctions that protobuf lacks: empty or absent lists, several spellings of a number,
// fields that take a number or a text, and what the API server adds.
var formSets = map[string]string{
	"plain": `{"spec":{"selector":{"matchLabels":{"app":"plain"}},"template":{"metadata":{"labels":{"app":"plain"}},"spec":{"containers":[{"name":"a","image":"b"}]}}}}`,
	"rich": `{"metadata":{"annotations":{"note":"<&>\u2028"},"labels":{"a":"b"},"finalizers":["example.com/kept"]},
		"spec":{"replicas":0,"minReadySeconds":0,"revisionHistoryLimit":0,"ordinals":{"start":0},"podManagementPolicy":"Parallel",
		"updateStrategy":{"type":"RollingUpdate","rollingUpdate":{"partition":0}},
		"persistentVolumeClaimRetentionPolicy":{"whenDeleted":"Delete"},
		"selector":{"matchLabels":{"app":"rich"},"matchExpressions":[{"key":"app","operator":"Exists","values":[]}]},
		"template":{"metadata":{"labels":{"app":"rich"},"annotations":{},"creationTimestamp":null},"spec":{"hostAliases":[],"tolerations":[{"operator":"Exists"}],
			"affinity":{"podAntiAffinity":{},"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":{"nodeSelectorTerms":[{"matchExpressions":[]}]}}},
			"topologySpreadConstraints":[{"maxSkew":1,"topologyKey":"zone","whenUnsatisfiable":"ScheduleAnyway","labelSelector":{}}],
			"securityContext":{"runAsUser":0,"sysctls":[]},"terminationGracePeriodSeconds":0,
			"initContainers":[],
			"containers":[{"name":"a","image":"b","args":[],"command":["<c>"],"env":[{"name":"A","value":""},{"name":"B","valueFrom":{"fieldRef":{"fieldPath":"metadata.name"}}}],
				"resources":{"limits":{"cpu":"0.5","memory":"1024Mi"},"requests":{"cpu":0.1,"memory":"1e3"}},
				"readinessProbe":{"httpGet":{"port":"web","path":"/"},"initialDelaySeconds":0},"livenessProbe":{"tcpSocket":{"port":80}},
				"ports":[{"containerPort":80,"name":"web"}],"securityContext":{"capabilities":{}},
				"volumeMounts":[{"name":"data","mountPath":"/data"}]}],
			"volumes":[{"name":"e","emptyDir":{"sizeLimit":"1048576Ki"}},{"name":"p","projected":{"sources":[]}},{"name":"s","secret":{"secretName":"s","items":[]}},
				{"name":"n","ephemeral":{"volumeClaimTemplate":{"spec":{"accessModes":["ReadWriteOnce"],"resources":{"requests":{"storage":"1073741824"}}}}}}]}},
		"volumeClaimTemplates":[{"metadata":{"name":"data","creationTimestamp":null},"spec":{"accessModes":["ReadWriteOnce"],"resources":{"requests":{"storage":"1.5Gi"}}}},
			{"apiVersion":"v1","kind":"PersistentVolumeClaim","metadata":{"name":"logs","labels":{}},"spec":{"accessModes":["ReadWriteOnce"],"selector":{},"resources":{"requests":{"storage":"1Gi"}}},"status":{"phase":"Lost"}}]}}`,
}

// TestBothForms: the planner gets the same set whether the adapter read it as JSON or, as it does from an API server of its own
// version, as protobuf.
func TestBothForms(t *testing.T) {
	t.Parallel()
	s := newScene(t, shared.cluster)
	var names []string
	for name, text := range formSets {
		var set map[string]any
		noError(t, json.Unmarshal([]byte(text), &set))
		metadata, _ := set["metadata"].(map[string]any)
		if metadata == nil {
			metadata = map[string]any{}
		}
		metadata["name"], set["metadata"], set["apiVersion"], set["kind"] = name, metadata, "apps/v1", "StatefulSet"
		body := must(json.Marshal(set))(t)
		if err := s.client.AppsV1().RESTClient().Post().Namespace(s.namespace).Resource("statefulsets").SetHeader("Content-Type", "application/json").
			Body(body).Do(context.Background()).Error(); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		names = append(names, name)
	}
	t.Cleanup(func() { s.patch("rich", `{"metadata":{"finalizers":null}}`) })
	for _, name := range names {
		s.settled(name) // and the adapter has written its status
	}
	binary, asBinary := s.snapshots(names, false)
	text, asText := s.snapshots(names, true)
	if diff := cmp.Diff(text, binary, protocmp.Transform()); diff != "" {
		t.Errorf("(-JSON +protobuf)\n%s", diff)
	}
	want := "application/json"
	if s.minor(t) == typesMinor {
		want = "application/vnd.kubernetes.protobuf"
	}
	if !slices.Equal(asBinary, []string{want}) || !slices.Equal(asText, []string{"application/json"}) {
		t.Errorf("sets were sent as %v and %v", asBinary, asText)
	}
}

// snapshots returns the snapshots of sets from an adapter's caches, and the encodings in which the API server sent the sets. An
// adapter that is not told the API server's version reads JSON.
func (s *scene) snapshots(names []string, noVersion bool) ([]*setplanv1.Snapshot, []string) {
	s.Helper()
	spy := &formSpy{noVersion: noVersion}
	config := rest.CopyConfig(s.config)
	config.Wrap(func(next http.RoundTripper) http.RoundTripper { spy.next = next; return spy })
	clients := must(kube.NewClients(config))(s)
	ctx, cancel := context.WithTimeout(context.Background(), busy*time.Minute)
	defer cancel()
	caches := kube.NewCaches(kube.StatefulSets(), clients, []string{s.namespace})
	noError(s, caches.Start(ctx, slog.New(slog.DiscardHandler)))
	source := kube.NewSource(kube.StatefulSets(), caches, clients.API, func() time.Time { return time.Unix(0, 0) })
	var snapshots []*setplanv1.Snapshot
	for _, name := range names {
		snapshot := must(source.Snapshot(ctx, adapters.Key{Namespace: s.namespace, Name: name}))(s)
		snapshot.Coverage = nil // this has the versions of the lists
		snapshots = append(snapshots, snapshot)
	}
	return snapshots, spy.sent()
}

// formSpy records the encodings in which sets are sent.
type formSpy struct {
	next      http.RoundTripper
	noVersion bool

	mu    sync.Mutex
	forms []string
}

func (f *formSpy) RoundTrip(r *http.Request) (*http.Response, error) {
	if f.noVersion && r.URL.Path == "/version" {
		r.URL.Path = "/version-of-nobody"
	}
	response, err := f.next.RoundTrip(r)
	if err == nil && strings.HasSuffix(r.URL.Path, "/statefulsets") {
		form, _, _ := strings.Cut(response.Header.Get("Content-Type"), ";")
		f.mu.Lock()
		defer f.mu.Unlock()
		f.forms = append(f.forms, form)
	}
	return response, err
}

// sent returns the encodings, each once.
func (f *formSpy) sent() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	slices.Sort(f.forms)
	return slices.Compact(f.forms)
}
