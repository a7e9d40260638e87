package compare

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/setplan/setplan/adapters"
	"github.com/setplan/setplan/clients/cli/compare"
	"github.com/setplan/setplan/clients/cli/show"
	setplanv1 "github.com/setplan/setplan/proto/setplan/v1"
	"github.com/setplan/setplan/test/need"
	"github.com/setplan/setplan/test/sim"
)

// life is a set on a simulated cluster, run by a controller with the rules of Kubernetes, and compared.
type life struct {
	*testing.T
	world   *sim.World
	theirs  *adapters.Loop
	eyes    *sim.Adapter // what is compared is what it sees
	planner *sim.Planner
	set     *compare.Set
	every   int // how many seconds are between two looks
	rounds  int

	traces map[string]compare.Trace
	events []corev1.Event
	unread bool // events must not be read
}

var web = adapters.Key{Namespace: sim.Namespace, Name: "web"}

const grace = 10 * time.Second

func newLife(t *testing.T, every int) *life {
	world := sim.NewWorld()
	l := &life{T: t, world: world, every: every, planner: &sim.Planner{}, set: compare.NewSet(web.String(), grace), traces: map[string]compare.Trace{}}
	hands := sim.NewAdapter(world, "theirs")
	l.eyes = sim.NewAdapter(world, "eyes")
	l.theirs = adapters.NewLoop(hands, hands, builtIn{&sim.Planner{Adapter: hands}}, adapters.Observers{}, adapters.Options{
		Behavior: setplanv1.Behavior_BEHAVIOR_KUBERNETES_1_36, Clock: hands.Now, Parallelism: 1})
	world.OnWrite(l.wrote)
	return l
}

// byOurs lets an adapter of ours run the set, with another planner than the one that is compared.
func (l *life) byOurs() {
	hands := sim.NewAdapter(l.world, "theirs")
	l.theirs = adapters.NewLoop(hands, hands, &sim.Planner{Adapter: hands}, adapters.Observers{}, adapters.Options{Clock: hands.Now, Parallelism: 1})
}

// builtIn decides as the controller of Kubernetes, which knows none of our annotations.
type builtIn struct{ *sim.Planner }

// Plan implements adapters.Planner.
func (b builtIn) Plan(ctx context.Context, request *setplanv1.PlanRequest) (*setplanv1.PlanResponse, error) {
	request = proto.CloneOf(request)
	maps.DeleteFunc(request.Snapshot.Set.Annotations, func(key, _ string) bool { return strings.HasPrefix(key, "setplan.io/") })
	return b.Planner.Plan(ctx, request)
}

// wrote keeps what a pod says about its end, and writes the events of the built-in controller.
func (l *life) wrote(_ sim.State, event sim.Event) {
	pod, is := event.New.(*corev1.Pod)
	if !is {
		return
	}
	l.traces[string(pod.UID)] = l.traces[string(pod.UID)].With(pod)
	if event.Verb == "delete" && event.Actor == "theirs" {
		l.events = append(l.events, corev1.Event{Reason: "SuccessfulDelete", LastTimestamp: metav1.NewTime(l.world.Now()),
			Message: fmt.Sprintf("delete Pod %s in StatefulSet web successful", pod.Name)})
	}
}

// Plan implements compare.Witness.
func (l *life) Plan(ctx context.Context, snapshot *setplanv1.Snapshot) (*setplanv1.Plan, error) {
	response, err := l.planner.Plan(ctx, &setplanv1.PlanRequest{Snapshot: snapshot, Capabilities: capabilities()})
	return response.GetPlan(), err
}

// Trace implements compare.Witness.
func (l *life) Trace(uid string) compare.Trace { return l.traces[uid] }

// Deleted implements compare.Witness.
func (l *life) Deleted(_ context.Context, pod, uid string, seen time.Time) compare.Deletion {
	return compare.Who(pod, l.traces[uid], seen, l.events, !l.unread)
}

func capabilities() (all []setplanv1.Capability) {
	values := setplanv1.Capability(0).Descriptor().Values()
	for i := 1; i < values.Len(); i++ {
		all = append(all, setplanv1.Capability(values.Get(i).Number()))
	}
	return all
}

// run lets seconds pass. In each the other controller works, and then the cluster.
func (l *life) run(seconds int) {
	l.Helper()
	for range seconds {
		need.Value(l.theirs.Reconcile(l.Context(), web))(l)
		l.idle(1)
	}
}

// idle lets seconds pass in which the other controller does nothing.
func (l *life) idle(seconds int) {
	l.Helper()
	for range seconds {
		l.world.Advance(time.Second)
		l.world.Kubelet()
		l.world.CollectGarbage()
		if l.rounds++; l.rounds%l.every == 0 {
			l.look()
		}
	}
}

func (l *life) look() {
	l.Helper()
	snapshot := need.Value(l.eyes.Snapshot(l.Context(), web))(l)
	plan := need.Value(l.Plan(l.Context(), snapshot))(l)
	need.NoError(l, l.set.Saw(l.Context(), snapshot, plan, l))
}

// create makes the set, with a JSON merge patch of its spec.
func (l *life) create(patch string) {
	l.Helper()
	set := &sim.Set{ObjectMeta: metav1.ObjectMeta{Name: "web"}}
	set.APIVersion, set.Kind = "apps/v1", sim.KindSet
	set.Spec = merged(l, []byte(`{"replicas": 3, "selector": {"matchLabels": {"app": "web"}}, "serviceName": "web", "podManagementPolicy": "OrderedReady",
		"revisionHistoryLimit": 10, "updateStrategy": {"type": "RollingUpdate", "rollingUpdate": {"partition": 0}},
		"persistentVolumeClaimRetentionPolicy": {"whenDeleted": "Retain", "whenScaled": "Retain"},
		"template": {"metadata": {"labels": {"app": "web"}}, "spec": {"containers": [{"name": "nginx", "image": "nginx:v1"}]}}}`), patch)
	need.Value(l.world.Create("user", set))(l)
	l.look()
}

func (l *life) edit(patch string) {
	l.Helper()
	l.change(sim.KindSet, "web", func(o sim.Object) { o.(*sim.Set).Spec = merged(l, o.(*sim.Set).Spec, patch) })
}

func (l *life) image(tag string) {
	l.Helper()
	l.edit(`{"template": {"spec": {"containers": [{"name": "nginx", "image": "nginx:` + tag + `"}]}}}`)
}

func (l *life) annotate(key, value string) {
	l.Helper()
	l.change(sim.KindSet, "web", func(o sim.Object) {
		all := map[string]string{key: value}
		maps.Copy(all, o.GetAnnotations())
		o.SetAnnotations(all)
	})
}

func (l *life) change(kind, name string, change func(sim.Object)) {
	l.Helper()
	need.Value(l.world.Update("user", kind, name, sim.Preconditions{}, change))(l)
}

func (l *life) deletes(actor, kind, name string) {
	l.Helper()
	need.NoError(l, l.world.Delete(actor, kind, name, sim.Preconditions{}, metav1.DeletePropagationBackground))
}

func (l *life) ready(pod string, ready bool) {
	l.Helper()
	need.NoError(l, l.world.SetReady("kubelet", pod, ready))
}

// claimsFollow is a set whose claims are to grow. Only planners of ours know of that.
func (l *life) claimsFollow() {
	l.Helper()
	l.create(`{"volumeClaimTemplates": [{"metadata": {"name": "www"}, "spec": {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}}}]}`)
	l.run(20)
	l.annotate("setplan.io/claim-update-policy", "InPlace")
	l.annotate("setplan.io/claim-templates", `{"www": {"spec": {"resources": {"requests": {"storage": "2048Mi"}}, "volumeAttributesClassName": "fast"}, "metadata": {"labels": {"tier": "gold"}}}}`)
}

// grows is what a user does to a claim.
func (l *life) grows(claim, to string) {
	l.Helper()
	l.change(sim.KindClaim, claim, func(o sim.Object) {
		o.(*corev1.PersistentVolumeClaim).Spec.Resources.Requests = corev1.ResourceList{corev1.ResourceStorage: resource.MustParse(to)}
	})
}

// late is a deletion that ours wants until another pod is not ready. The other controller does it after some waiting.
func (l *life) late(wait func()) {
	l.Helper()
	l.image("v2")
	l.idle(5)
	l.ready("web-0", false)
	l.world.Hold("web-0", true)
	wait()
	l.deletes("theirs", sim.KindPod, "web-2")
	l.look()
	l.idle(15)
	l.world.Hold("web-0", false)
	l.run(30)
}

// says is the report as lines.
func (l *life) says() string {
	var b strings.Builder
	need.NoError(l, compare.Text(&b, show.Style{}, &compare.Report{Sets: []compare.SetReport{l.set.Report()}}))
	text, _, _ := strings.Cut(b.String(), " (), watched for") // the sum
	return text
}

// merged is a JSON merge patch (RFC 7386) without removals.
func merged(l *life, spec []byte, patch string) []byte {
	l.Helper()
	var is, with map[string]any
	need.NoError(l, json.Unmarshal(spec, &is))
	if patch != "" {
		need.NoError(l, json.Unmarshal([]byte(patch), &with))
	}
	merge(is, with)
	text := need.Value(json.Marshal(is))(l)
	return text
}

func merge(into, with map[string]any) {
	for key, value := range with {
		below, both := into[key].(map[string]any)
		if more, is := value.(map[string]any); is && both {
			merge(below, more)
			continue
		}
		into[key] = value
	}
}
