//go:build e2e

package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/setplan/setplan/clients/cli/convert"
)

// TestConvert runs the commands that setplan convert prints, from apps/v1 to our own kind beside the built-in controller and back. After
// each command our controller is killed and restarted, and no pod, claim or revision is lost, recreated or added.
func TestConvert(t *testing.T) {
	t.Parallel()
	c := ownCluster(t, "convert", "on")
	if out, err := c.kubectl("apply", "-f", "testdata/pingcap.yaml", "-f", definition, "-f", kruiseDefinition(t)); err != nil {
		t.Fatal(err, out)
	}
	eventually(t, 60*time.Second, "the kinds are served", func() error {
		_, err := c.kubectl("get", "statefulsets.apps.setplan.io,statefulsets.apps.kruise.io,statefulsets.apps.pingcap.com")
		return err
	})
	canary, losing := newScene(t, c), newScene(t, c)
	for _, s := range []*scene{canary, losing} {
		s.create(webSet("web", 3, parallel, func(set *appsv1.StatefulSet) {
			set.Spec.PersistentVolumeClaimRetentionPolicy = &appsv1.StatefulSetPersistentVolumeClaimRetentionPolicy{
				WhenDeleted: appsv1.DeletePersistentVolumeClaimRetentionPolicyType, WhenScaled: appsv1.RetainPersistentVolumeClaimRetentionPolicyType}
		}))
		s.settled("web")
		s.patch("web", `{"spec":{"updateStrategy":{"rollingUpdate":{"partition":2}},"template":{"spec":{"containers":[{"name":"nginx","image":"`+image2+`"}]}}}}`)
		s.partly("web", 1)
	}

	old := newScene(t, c)
	old.create(webSet("web", 2))
	old.settled("web")
	c.builtIn(t, "off")
	old.storeAsOlder("web")
	c.builtIn(t, "on")
	old.builtInWorks()

	theirs := map[string]*scene{}
	for name, kind := range map[string]convert.Kind{"kruise": convert.Kruise, "pingcap": convert.PingCAP} {
		theirs[name] = newScene(t, c)
		theirs[name].create(webSet("web", 2))
		theirs[name].settled("web")
		theirs[name].giveTo(kind)
	}
	t.Run("losing pods", func(t *testing.T) { newMover(t, losing).moveLosing("sts/web", convert.BuiltIn, convert.Own) })
	t.Run("kruise", func(t *testing.T) {
		m := newMover(t, theirs["kruise"])
		m.move("statefulsets.apps.kruise.io/web", convert.Kruise, convert.Own)
		m.rollsOut()
	})
	t.Run("pingcap", func(t *testing.T) {
		newMover(t, theirs["pingcap"]).move("statefulsets.apps.pingcap.com/web", convert.PingCAP, convert.Own)
	})

	for name, s := range map[string]*scene{"canary": canary, "old encoding": old} {
		t.Run(name, func(t *testing.T) {
			m := newMover(t, s)
			m.retreat("sts/web", convert.BuiltIn)
			m.move("sts/web", convert.BuiltIn, convert.Own)
			m.move("statefulsets.apps.setplan.io/web", convert.Own, convert.BuiltIn)
			s.deletePod("web-0")
			eventually(t, 60*time.Second, "the built-in controller works", func() error {
				st, now := s.get("web").Status, s.find("web-0")
				if now == "" || now == m.before.pods["web-0"] || st.AvailableReplicas != int32(len(m.before.pods)) {
					return fmt.Errorf("status is %+v", st)
				}
				return nil
			})
			if name == "canary" {
				s.wantImages("web", "nginx:1", "nginx:1", "nginx:2")
			}
		})
	}
}

// giveTo turns the set into one of another kind by hand, as that kind's controller would run it: the controller is not installed.
func (s *scene) giveTo(kind convert.Kind) {
	s.Helper()
	status := must(json.Marshal(s.get("web").Status))(s)
	file, resource := s.file("theirs.yaml"), kind.GVR().GroupResource().String()
	s.must(fmt.Sprintf(`kubectl get sts web -o yaml | grep -v '^  resourceVersion:' | sed 's,^apiVersion: apps/v1,apiVersion: %s,' > %s`, kind.APIVersion(), file))
	s.must("kubectl delete sts web --cascade=orphan")
	s.must("kubectl create --validate=warn -f " + file) // warnings only: PingCAP's definition lacks the retention policy that apps/v1 fills in
	s.must(fmt.Sprintf(`kubectl patch %s web --subresource=status --type=merge -p '{"status":%s}'`, resource, status))
	uid := s.must("kubectl get " + resource + " web -o jsonpath='{.metadata.uid}'")
	for _, name := range strings.Fields(s.must("kubectl get pods,controllerrevisions -o name")) {
		s.must(fmt.Sprintf(`kubectl patch %s --type=merge -p '{"metadata":{"ownerReferences":[{"apiVersion":"%s","kind":"StatefulSet","name":"web","uid":"%s","controller":true,"blockOwnerDeletion":true}]}}'`,
			name, kind.APIVersion(), uid))
	}
}

// partly waits until some pods are updated and all are available.
func (s *scene) partly(name string, updated int32) {
	s.Helper()
	eventually(s, 60*time.Second, "the canary is there", func() error {
		set := s.get(name)
		if st := set.Status; st.ObservedGeneration != set.Generation || st.UpdatedReplicas != updated || st.AvailableReplicas != *set.Spec.Replicas {
			return fmt.Errorf("status is %+v", st)
		}
		return nil
	})
}

// storeAsOlder gives the set's revision the form in which an API server before 1.34 stored it: with one null more, and so another name.
func (s *scene) storeAsOlder(name string) {
	s.Helper()
	ctx, revisions := context.Background(), s.client.AppsV1().ControllerRevisions(s.namespace)
	now := must(revisions.Get(ctx, s.get(name).Status.UpdateRevision, metav1.GetOptions{}))(s)
	then := now.DeepCopy()
	then.ObjectMeta = metav1.ObjectMeta{Name: name + "-older", Labels: now.Labels, OwnerReferences: now.OwnerReferences}
	// Keys have to be sorted: otherwise a patch of the garbage collector would change the bytes, which the API server refuses.
	then.Data.Raw = []byte(strings.Replace(string(now.Data.Raw), `"labels":{`, `"creationTimestamp":null,"labels":{`, 1))
	if string(then.Data.Raw) == string(now.Data.Raw) {
		s.Fatalf("the revision has another form: %s", now.Data.Raw)
	}
	must(revisions.Create(ctx, then, metav1.CreateOptions{}))(s)
	noError(s, revisions.Delete(ctx, now.Name, metav1.DeleteOptions{}))
	for _, pod := range strings.Fields(s.must("kubectl get pods -o jsonpath='{.items[*].metadata.name}'")) {
		s.must("kubectl label pod " + pod + " --overwrite controller-revision-hash=" + then.Name)
	}
	s.must(fmt.Sprintf(`kubectl patch sts %s --subresource=status --type=merge -p '{"status":{"currentRevision":"%s","updateRevision":"%[2]s"}}'`, name, then.Name))
}

// mover moves a set and checks its belongings after every command.
type mover struct {
	testing.TB
	*scene
	dir    string
	stop   func()
	late   *proxy // between our controller and the API server; nil: none
	before belongings
	left   map[string]bool // claims that no pod uses, which get no owner
}

func newMover(t *testing.T, s *scene) *mover {
	t.Helper()
	m := &mover{scene: s, TB: t, dir: t.TempDir(), stop: func() {}}
	m.startOurs()
	t.Cleanup(func() { m.stop() })
	return m
}

// belongings are what a set must not lose: the uids of pods and claims, the data of revisions, and the current revision in its status.
type belongings struct {
	pods, claims, revisions map[string]string
	current                 string
}

func (m *mover) belongings() belongings {
	m.TB.Helper()
	ctx, b := context.Background(), belongings{pods: map[string]string{}, claims: map[string]string{}, revisions: m.revisionData()}
	pods := must(m.client.CoreV1().Pods(m.namespace).List(ctx, metav1.ListOptions{}))(m.TB)
	for _, pod := range pods.Items {
		b.pods[pod.Name] = string(pod.UID)
		if pod.DeletionTimestamp != nil {
			b.pods[pod.Name] += " is being deleted"
		}
	}
	claims := must(m.client.CoreV1().PersistentVolumeClaims(m.namespace).List(ctx, metav1.ListOptions{}))(m.TB)
	for _, claim := range claims.Items {
		b.claims[claim.Name] = string(claim.UID)
		if claim.DeletionTimestamp != nil {
			b.claims[claim.Name] += " is being deleted"
		}
	}
	return b
}

// find returns the uid of a pod; empty if there is none.
func (s *scene) find(pod string) string {
	p, err := s.client.CoreV1().Pods(s.namespace).Get(context.Background(), pod, metav1.GetOptions{})
	if err != nil {
		return ""
	}
	return string(p.UID)
}

// same fails if a pod, claim or revision is lost, recreated or added.
func (m *mover) same(when string) {
	m.TB.Helper()
	if diff := cmp.Diff(m.before, m.belongings(), cmp.AllowUnexported(belongings{}), cmp.FilterPath(func(p cmp.Path) bool { return p.Last().String() == ".current" }, cmp.Ignore())); diff != "" {
		m.TB.Fatalf("after %s:\n%s", when, diff)
	}
}

// retreat runs the commands up to the one that has a way back, and then goes back.
func (m *mover) retreat(set string, from convert.Kind) {
	m.TB.Helper()
	var back []string
	for _, step := range m.asks(set, from).Steps {
		m.run(step.Command)
		m.same(step.Command)
		if back = step.Back; back != nil {
			break
		}
	}
	for _, command := range back {
		m.run(command)
	}
	m.belongsTo(from)
	m.same("the way back")
	eventually(m.TB, 60*time.Second, "the old set is at rest", func() error {
		if st := m.status(from); st.CurrentRevision == "" || st.AvailableReplicas != st.Replicas {
			return fmt.Errorf("status is %+v", st)
		}
		return nil
	})
	if now := m.status(from).CurrentRevision; now != m.before.current {
		m.TB.Errorf("the current revision is %s, was %s", now, m.before.current)
	}
}

// asks gets the commands from setplan convert, and notes the belongings.
func (m *mover) asks(set string, from convert.Kind) *convert.Result {
	m.TB.Helper()
	m.before = m.belongings()
	m.before.current = m.status(from).CurrentRevision
	var r convert.Result
	noError(m.TB, json.Unmarshal([]byte(m.mustSetplan("convert", set, "-o", "json")), &r))
	for _, f := range r.Findings {
		m.TB.Logf("%s %s %s: %s", f.Severity, f.Code, f.Subject, f.Message)
		if f.Severity == convert.Stop && f.Code != "TOO_YOUNG" {
			m.TB.Errorf("a set at rest has the finding %s", f.Code)
		}
	}
	return &r
}

// move runs all commands, and restarts our controller after each.
func (m *mover) move(set string, from, to convert.Kind) {
	m.TB.Helper()
	for _, step := range m.asks(set, from).Steps {
		m.run(step.Command)
		m.same(step.Command)
		m.stop()
		m.startOurs()
		time.Sleep(time.Second)
		m.same("a restart of our controller after " + step.Command)
	}
	m.must("setplan __complete rollout status -n " + m.namespace + " " + to.GVR().GroupResource().String() + "/ | grep -qx " + to.GVR().GroupResource().String() + "/web")
	m.must("setplan rollout status " + to.GVR().GroupResource().String() + "/web --timeout 60s")
	m.belongsTo(to)
	if st := m.status(to); st.CurrentRevision != m.before.current {
		m.TB.Errorf("the current revision is %s, was %s", st.CurrentRevision, m.before.current)
	}
}

// moveLosing moves a set and deletes one of its pods before each command. Whichever controller recreates a pod, it has the right revision
// and its claim.
func (m *mover) moveLosing(set string, from, to convert.Kind) {
	m.TB.Helper()
	for i, step := range m.asks(set, from).Steps {
		m.must(fmt.Sprintf("kubectl delete pod web-%d --ignore-not-found --wait=false", i%3))
		m.run(step.Command)
	}
	m.belongsTo(to)
	eventually(m.TB, 60*time.Second, "all pods are back", func() error {
		if st := m.status(to); st.AvailableReplicas != 3 || st.CurrentRevision != m.before.current {
			return fmt.Errorf("status is %+v", st)
		}
		return nil
	})
	m.wantImages("web", "nginx:1", "nginx:1", "nginx:2")
	now := m.belongings()
	now.pods, now.current = m.before.pods, m.before.current
	if diff := cmp.Diff(m.before, now, cmp.AllowUnexported(belongings{})); diff != "" {
		m.TB.Errorf("claims or revisions have changed:\n%s", diff)
	}
}

// rollsOut: setplan rollout works for a kind that kubectl rollout refuses.
func (m *mover) rollsOut() {
	m.TB.Helper()
	const set = "statefulsets.apps.setplan.io/web"
	template := func() string { return m.must("kubectl get " + set + " -o jsonpath='{.spec.template}'") }
	before := template()
	if theirs := m.says("kubectl", "rollout status "+set); theirs.code == 0 {
		m.TB.Errorf("kubectl rollout knows the kind now: %+v", theirs)
	}
	for _, step := range []struct{ line, says string }{
		{"pause", "paused"}, {"restart", "restarted"}, {"resume", "resumed"}, {"status --timeout 2m", ""}, {"undo --dry-run=server", "rolled back (server dry run)"},
		{"undo", "rolled back"}, {"status --timeout 2m", ""},
	} {
		if out := m.must("setplan rollout " + step.line + " " + set); step.says != "" && out != "statefulset.apps.setplan.io/web "+step.says+"\n" {
			m.TB.Errorf("%s: %s", step.line, out)
		}
	}
	if after := template(); after != before {
		m.TB.Errorf("undo leaves\n%s\nwant\n%s", after, before)
	}
	if history := m.must("setplan rollout history " + set); strings.Count(history, "<none>") != 2 {
		m.TB.Errorf("the history is\n%s", history)
	}
	if m.find("web-0") == m.before.pods["web-0"] {
		m.TB.Error("nothing was restarted")
	}
}

// run runs a command in a shell, as somebody who copies it would.
func (m *mover) run(command string) {
	m.TB.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), busy*3*time.Minute)
	defer cancel()
	shell := exec.CommandContext(ctx, "sh", "-c", command)
	shell.Dir, shell.Env = m.dir, append(os.Environ(), "KUBECONFIG="+m.kubeconfig, "PATH="+binDir()+":"+os.Getenv("PATH"))
	out, err := shell.CombinedOutput()
	m.TB.Logf("$ %s\n%s", command, out)
	if err != nil {
		m.TB.Fatalf("%s: %v", command, err)
	}
}

// status returns the status of the set of a kind.
func (m *mover) status(kind convert.Kind) (st appsv1.StatefulSetStatus) {
	m.TB.Helper()
	set := must(m.source.Resource(kind.GVR()).Namespace(m.namespace).Get(context.Background(), "web", metav1.GetOptions{}))(m.TB)
	if status, is := set.Object["status"].(map[string]any); is {
		noError(m.TB, runtime.DefaultUnstructuredConverter.FromUnstructured(status, &st))
	}
	return st
}

// belongsTo waits until the set of a kind owns all pods and revisions, and the claims that its policy wants it to own.
func (m *mover) belongsTo(kind convert.Kind) {
	m.TB.Helper()
	set := must(m.source.Resource(kind.GVR()).Namespace(m.namespace).Get(context.Background(), "web", metav1.GetOptions{}))(m.TB)
	deleted := strings.Contains(m.must("kubectl get "+kind.GVR().GroupResource().String()+" web -o jsonpath='{.spec.persistentVolumeClaimRetentionPolicy.whenDeleted}'"), "Delete")
	eventually(m.TB, 60*time.Second, "everything belongs to the new set", func() error {
		for _, resource := range []string{"pods", "persistentvolumeclaims", "controllerrevisions"} {
			gvr := schema.GroupVersionResource{Version: "v1", Resource: resource}
			if resource == "controllerrevisions" {
				gvr.Group = "apps"
			}
			list, err := m.source.Resource(gvr).Namespace(m.namespace).List(context.Background(), metav1.ListOptions{})
			if err != nil {
				return err
			}
			for _, object := range list.Items {
				var owners []types.UID
				for _, owner := range object.GetOwnerReferences() {
					owners = append(owners, owner.UID)
				}
				want := []types.UID{set.GetUID()}
				if resource == "persistentvolumeclaims" && (!deleted || m.left[object.GetName()]) {
					want = nil
				}
				if diff := cmp.Diff(want, owners); diff != "" {
					return fmt.Errorf("%s %s has other owners: %s", resource, object.GetName(), diff)
				}
			}
		}
		return nil
	})
}

// startOurs starts an adapter process for our own kind. stop kills it with SIGKILL, whatever it is doing.
func (m *mover) startOurs() {
	m.TB.Helper()
	kubeconfig := m.kubeconfig
	if m.late != nil {
		kubeconfig = m.through(m.late, "late")
	}
	p := must(startAdapter(m.dir, "ours", kubeconfig, nil, "--own", ownKind, "--namespace", m.namespace, "--leader-elect=false"))(m.TB)
	m.stop = p.kill
}

// The release of Kruise whose definition is used, and the hash of its module, as go.sum has it.
const (
	kruiseModule = "github.com/openkruise/kruise@v1.8.0"
	kruiseSum    = "h1:cU5XG9tur17j/CuY+iCTlxOtJ0GNTtJjMLurhh+25YQ="
)

// kruiseDefinition is the file with Kruise's own definition of its StatefulSet. It comes in their Go module, of which nothing is built.
func kruiseDefinition(t *testing.T) string {
	t.Helper()
	download := exec.Command("go", "mod", "download", "-json", kruiseModule)
	download.Dir = t.TempDir() // no go.mod of ours is asked or changed
	out, err := download.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	var module struct{ Dir, Sum string }
	noError(t, json.Unmarshal(out, &module))
	if module.Sum != kruiseSum {
		t.Fatalf("%s has the hash %s, want %s", kruiseModule, module.Sum, kruiseSum)
	}
	return filepath.Join(module.Dir, "config/crd/bases/apps.kruise.io_statefulsets.yaml")
}
