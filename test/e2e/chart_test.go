//go:build e2e && linux

package e2e

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/yaml"

	"github.com/setplan/setplan/deploy/kubelet"
)

// choice is what a user of the chart may choose, and what the adapter then does.
type choice struct {
	values  []string // NAMESPACE is where the sets are, RELEASE where the adapter is, and PLANNER the address of a server that it installs
	servers int      // that it installs
	life    func(s *scene)
}

var choices = map[string]choice{
	"inside": {
		values: []string{"adapter.drainNamespaces={NAMESPACE}", "metrics.readers[0].name=reader,metrics.readers[0].namespace=RELEASE"},
		life:   func(s *scene) { s.ownLife(); s.ownDrain() },
	},
	"beside": {
		values: []string{"planner.place=beside", "adapter.namespaces={NAMESPACE}", "metrics.enabled=false"},
		life:   (*scene).ownLife,
	},
	"drain": {
		values: []string{"adapter.mode=drain", "adapter.drainNamespaces={*}", "metrics.readers[0].name=reader,metrics.readers[0].namespace=RELEASE"},
		life:   (*scene).builtinDrain,
	},
	// Servers and adapter of one release, that find each other by certificates, or by a token of the adapter.
	"remote": {
		values: append([]string{"planner.place=remote,planner.address=PLANNER,planner.tls.secret=adapter", "adapter.namespaces={NAMESPACE}",
			"server.clusters[0].name=home,server.clusters[0].identities={CN=adapter}", "metrics.enabled=false"}, twoServers...),
		servers: 2, life: (*scene).ownLife,
	},
	"tokens": {
		values: append([]string{"planner.place=remote,planner.address=PLANNER,planner.tls.secret=adapter,planner.tokenAudience=setplan", "adapter.namespaces={NAMESPACE}",
			"server.clusters[0].name=home,server.clusters[0].identities={TOKEN=system:serviceaccount:RELEASE:RELEASE-adapter}", "server.tokenAudience=setplan",
			"metrics.enabled=false"}, twoServers...),
		servers: 2, life: (*scene).ownLife,
	},
	"observe": {
		values: []string{"adapter.mode=observe", "metrics.readers[0].name=reader,metrics.readers[0].namespace=RELEASE"},
		life: func(s *scene) {
			s.createUnder(ownSets, s.underKind(webSet("web", 2), ownKind, "StatefulSet"))
		},
	},
}

// twoServers are the values of the servers.
var twoServers = []string{"server.enabled=true,server.replicas=2,server.tls.secret=server"}

// TestChart installs the chart as a user does, for each choice, and starts what the pods say: the images' programs, with the arguments,
// mounts, users and service accounts that are rendered. No right is missing, and none is given that is not used.
func TestChart(t *testing.T) {
	t.Parallel()
	c := ownCluster(t, "chart", "on")
	for name, choice := range choices {
		t.Run(name, func(t *testing.T) {
			s := newScene(t, c)
			release := name
			pods := s.install(release, choice)
			for _, p := range pods {
				s.isConfined(p)
			}
			p := pods[0] // the adapter's: its name is the first
			if _, err := p.Get(context.Background(), "HTTPS", 7452, "/plans", ""); err == nil {
				t.Error("/plans is for everybody")
			}
			choice.life(s)
			s.readerSees(p, release, choice.values)
			s.rights(release, choice)
			s.serverRights(release, choice)
			must(s.helm("uninstall", release, "--namespace", release))(t)
		})
	}
}

func (s *scene) helm(args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), busy*time.Minute)
	defer cancel()
	return run(ctx, []string{"KUBECONFIG=" + s.kubeconfig}, "helm", args...)
}

// set is the flags of values.
func (s *scene) set(release string, values []string) []string {
	args := []string{"--set", "image.tag=v0.2.0,adapter.replicas=1"}
	for _, value := range values {
		args = append(args, "--set", strings.NewReplacer("NAMESPACE", s.namespace, "RELEASE", release, "PLANNER", s.plannerService).Replace(value))
	}
	return args
}

// install installs the chart and runs its pods until the test ends. The result is the pods, by name.
func (s *scene) install(release string, choice choice) []*kubelet.Pod {
	s.Helper()
	folder := filepath.Join(s.dir, "pods-"+release)
	noError(s, os.MkdirAll(folder, 0o755))
	k := &kubelet.Kubelet{Images: filepath.Join(binDir(), "images"), Folder: folder, Namespace: release, Client: s.client, API: s.config}
	if choice.servers > 0 {
		s.serveChart(k)
	}
	must(s.helm(append([]string{"install", release, "../../deploy/chart", "--namespace", release, "--create-namespace",
		"--take-ownership"}, s.set(release, choice.values)...)...))(s)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- k.Run(ctx) }()
	s.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			s.Error(err)
		}
		logs, _ := filepath.Glob(filepath.Join(folder, "*.log"))
		for _, log := range logs {
			secrets.inLog(log)
		}
	})
	want := choice.servers
	if !slices.Contains(choice.values, "adapter.enabled=false") {
		want++
	}
	eventually(s, 60*time.Second, "the pods are ready", func() error {
		select {
		case err := <-ended:
			ended <- err
			return fmt.Errorf("the pods have ended: %w", err)
		default:
		}
		pods := k.Pods()
		if len(pods) != want {
			return fmt.Errorf("%d pods run", len(pods))
		}
		var errs []error
		for _, p := range pods {
			errs = append(errs, p.Ready(context.Background()))
		}
		return errors.Join(errs...)
	})
	return k.Pods()
}

// isConfined: the process is the user of the pod, and nothing it sees can be written to.
func (s *scene) isConfined(p *kubelet.Pod) {
	s.Helper()
	for container := range p.Logs {
		pid := must(p.PID(container))(s)
		status := s.mustRead(fmt.Sprintf("/proc/%d/status", pid))
		if !strings.Contains(status, "Uid:\t65532\t65532\t65532\t65532") {
			s.Errorf("%s runs as %s", container, status)
		}
		mounts := s.mustRead(fmt.Sprintf("/proc/%d/mounts", pid))
		for _, mount := range strings.Split(strings.TrimSpace(mounts), "\n") {
			if options := strings.Split(strings.Fields(mount)[3], ","); !slices.Contains(options, "ro") {
				s.Errorf("%s can write to %s", container, mount)
			}
		}
	}
}

// readerSees: a service account that is named among the readers gets the metrics; the API server is asked who it is.
func (s *scene) readerSees(p *kubelet.Pod, release string, values []string) {
	s.Helper()
	if !strings.Contains(strings.Join(values, " "), "metrics.readers") {
		return
	}
	must(s.kubectl("create", "serviceaccount", "reader", "-n", release))(s)
	token := must(s.kubectl("create", "token", "reader", "-n", release))(s)
	eventually(s, 30*time.Second, "the plan is told", func() error {
		text, err := p.Get(context.Background(), "HTTPS", 7452, "/metrics", strings.TrimSpace(token))
		if err == nil && !strings.Contains(text, `setplan_adapter_plans_total`) {
			err = errors.New("no plan is counted")
		}
		return err
	})
}

// rights compares what the rendered roles give to the adapter with what it asked for.
func (s *scene) rights(release string, choice choice) {
	s.Helper()
	requests := must(s.adapterRequests(""))(s)
	used := map[string]bool{}
	user := "system:serviceaccount:" + release + ":" + release + "-adapter"
	for _, r := range requests {
		if r.User.Username != user {
			continue
		}
		if r.forbidden() {
			s.Errorf("%s %s in %q was forbidden", r.what(), r.ObjectRef.Name, r.ObjectRef.Namespace)
		}
		used[r.what()+"."+r.ObjectRef.APIGroup] = true
	}
	for right := range s.given(release, choice.values) {
		switch {
		case used[right]:
		case strings.HasPrefix(right, "list "), strings.HasPrefix(right, "get "): // where the API server does not stream lists, or a watch is behind
		case strings.Contains(right, "/finalizers."): // an admission plugin asks for it that is off here
		default:
			s.Errorf("%q is given and was never used", right)
		}
	}
}

// given are the rights of the rendered roles, but for those that are bound to readers, or to nobody.
func (s *scene) given(release string, values []string) map[string]bool {
	s.Helper()
	text := must(s.helm(append([]string{"template", release, "../../deploy/chart", "--namespace", release}, s.set(release, values)...)...))(s)
	rules, bound := map[string][]rbacv1.PolicyRule{}, map[string]bool{}
	decoder := yaml.NewYAMLOrJSONDecoder(bytes.NewReader([]byte(text)), 4096)
	for {
		var object struct {
			metav1.TypeMeta
			Metadata metav1.ObjectMeta
			Rules    []rbacv1.PolicyRule
			RoleRef  rbacv1.RoleRef
			Subjects []rbacv1.Subject
		}
		err := decoder.Decode(&object)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			s.Fatal(err)
		}
		switch {
		case strings.HasSuffix(object.Kind, "Binding"):
			bound[object.RoleRef.Kind+object.RoleRef.Name] = object.Subjects[0].Name == release+"-adapter"
		case strings.HasSuffix(object.Kind, "Role"):
			rules[object.Kind+object.Metadata.Name] = object.Rules
		}
	}
	given := map[string]bool{}
	for name, rules := range rules {
		if !bound[name] {
			continue
		}
		for _, rule := range rules {
			for _, verb := range rule.Verbs {
				for _, resource := range rule.Resources {
					given[verb+" "+resource+"."+rule.APIGroups[0]] = true
				}
			}
		}
	}
	return given
}

// ownLife takes a set of our own kind through everything that needs a right.
func (s *scene) ownLife() {
	s.Helper()
	h := newHosts(s)
	set := webSet("web", 2, retention(remove, remove), memoryLimit("64Mi"))
	history := int32(1)
	set.Spec.RevisionHistoryLimit = &history
	s.createUnder(ownSets, s.underKind(set, ownKind, "StatefulSet"))
	s.ownSettled(ownSets, "web", "web-0 web-1")
	for _, n := range []int{2, 3, 4, 3} { // the last one that is kept gets a new number
		s.own("patch", "ssts", "web", "--type", "json", "-p",
			fmt.Sprintf(`[{"op":"replace","path":"/spec/template/spec/containers/0/image","value":"registry.example/nginx:%d"}]`, n))
		s.ownSettled(ownSets, "web", "web-0 web-1")
	}
	eventually(s, 30*time.Second, "the history is trimmed", func() error {
		if n := len(s.revisions()); n != 2 {
			return fmt.Errorf("%d revisions", n)
		}
		return nil
	})
	h.looked()
	s.own("patch", "ssts", "web", "--type", "json", "-p", `[{"op":"add","path":"/spec/inPlace","value":"InPlaceOnly"},
		{"op":"replace","path":"/spec/template/spec/containers/0/resources/limits/memory","value":"96Mi"}]`)
	s.ownSettled(ownSets, "web", "web-0 web-1")
	s.patchPod("web-0", `{"metadata":{"labels":{"statefulset.kubernetes.io/pod-name":null}}}`)
	eventually(s, 30*time.Second, "the labels of web-0", func() error { return s.hasIdentity("web-0") })
	s.quota(2)
	s.own("scale", "ssts/web", "--replicas", "3")
	s.toldAgain()
	s.own("patch", "ssts", "web", "--type", "merge", "-p", `{"spec":{"disruptionBudget":"Respect"}}`) // web-1 is evicted
	s.own("scale", "ssts/web", "--replicas", "1")
	s.ownSettled(ownSets, "web", "web-0")
	s.own("delete", "ssts", "web", "--cascade=foreground")
	s.ownGone(ownSets, "web")
}

// toldAgain waits until an event is repeated.
func (s *scene) toldAgain() {
	s.Helper()
	eventually(s, 60*time.Second, "the quota is told again and again", func() error {
		requests, err := s.adapterRequests(s.namespace)
		if err != nil {
			return err
		}
		for _, r := range requests {
			if r.what() == "patch events" {
				return nil
			}
		}
		return errors.New("no event was repeated")
	})
}

// builtinDrain scales a set of the built-in controller down, and deletes it.
func (s *scene) builtinDrain() {
	s.Helper()
	s.create(webSet("web", 2, drained(completes, "setplan.io/drain-on-delete=true")))
	s.settled("web")
	eventually(s, 30*time.Second, "the adapter has seen the set", func() error {
		if !slices.Contains(s.get("web").Finalizers, "setplan.io/drain") {
			return errors.New("it has no finalizer")
		}
		return nil
	})
	s.quota(1) // no room for the pod that drains
	s.scale("web", 1)
	s.toldAgain()
	s.quota(10)
	s.claimsBecome("www-web-0")
	s.deleteSet("web", metav1.DeletePropagationBackground)
	s.setGone("web")
}

// ownDrain deletes a set that is drained first.
func (s *scene) ownDrain() {
	s.Helper()
	s.quota(10)
	set := webSet("data", 1, drained(completes, "setplan.io/drain-on-delete=true"))
	s.createUnder(ownSets, s.underKind(set, ownKind, "StatefulSet"))
	s.ownSettled(ownSets, "data", "data-0")
	s.own("delete", "ssts", "data", "--wait=false")
	s.ownGone(ownSets, "data")
}
