//go:build nodes

package test

import (
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/setplan/setplan/deploy/node/internal/network"
)

const (
	uids     = "{range .items[*]}{.metadata.uid} {end}"
	restarts = "{range .items[*]}{.status.containerStatuses[0].restartCount}{end}"
	inPlace  = "setplan.io/in-place: InPlaceIfPossible"
)

// TestImagesInPlace: a container gets another image, and its pod stays. Two names of one image are two images for a kubelet, although it tells the
// same digest for both.
func TestImagesInPlace(t *testing.T) {
	t.Parallel()
	s := newSpace(t, "annotations: {}", "annotations: {"+inPlace+"}")
	s.done()
	pods := s.get("pods", uids)
	for n, image := range []string{"app:2", "app:1", "app:same"} {
		s.kubectl("set", "image", "statefulset/web", "app=setplan.local/"+image)
		s.done()
		if now := s.get("pods", uids); now != pods {
			t.Errorf("%s: the pods are %s, were %s", image, now, pods)
		}
		want := strings.Repeat(string(rune('1'+n)), 2)
		if got := s.get("pods", restarts); got != want {
			t.Errorf("%s: restarts are %s, want %s", image, got, want)
		}
	}
}

// TestBadImage: an image that is not there, or whose program crashes, meets one pod, and the pod is back once the template is corrected.
func TestBadImage(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		policy, image string
		says          []string
	}{
		"missing":           {"{}", "app:missing", []string{"app:missing"}},
		"missing, in place": {"{" + inPlace + "}", "app:missing", []string{"app:missing"}},
		"crashes":           {"{}", "app:crash", []string{"exit code 7"}},
		"crashes, in place": {"{" + inPlace + "}", "app:crash", []string{"changed in place to setplan.local/app:crash", "exit code 7"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSpace(t, "annotations: {}", "annotations: "+c.policy)
			s.done()
			untouched := s.get("pod/web-0", "{.metadata.uid}{.status.containerStatuses[0].restartCount}")
			s.kubectl("set", "image", "statefulset/web", "app=setplan.local/"+c.image)
			s.says(c.says...)
			time.Sleep(5 * time.Second) // the next pod must not follow
			s.kubectl("set", "image", "statefulset/web", "app=setplan.local/app:2")
			if now := s.get("pod/web-0", "{.metadata.uid}{.status.containerStatuses[0].restartCount}"); now != untouched {
				t.Errorf("web-0 was touched: %s, was %s", now, untouched)
			}
			s.done()
		})
	}
}

// TestResizes: more memory and processor without a restart; more than the node has ever is infeasible; more than it has now is deferred.
func TestResizes(t *testing.T) {
	t.Parallel()
	s := newSpace(t, "annotations: {}", "annotations: {"+inPlace+", setplan.io/resize-infeasible: Wait}")
	s.done()
	before := s.get("pods", uids+restarts)
	s.kubectl("set", "resources", "statefulset/web", "--limits=memory=96Mi", "--requests=memory=48Mi,cpu=20m")
	s.done()
	if now := s.get("pods", uids+restarts); now != before {
		t.Errorf("the pods are %s, were %s", now, before)
	}
	s.kubectl("set", "resources", "statefulset/web", "--limits=memory=4000Gi", "--requests=memory=4000Gi")
	s.says("The pod requests more than its node can allocate in total: memory")
	s.prints("ResizeInfeasible", "statefulset/web", `{.status.conditions[?(@.type=="Blocked")].reason}`)
	s.kubectl("set", "resources", "statefulset/web", "--limits=memory=96Mi", "--requests=memory=48Mi,cpu=20m")
	s.done()
	if now := s.get("pods", uids+restarts); now != before {
		t.Errorf("after a resize that cannot be: the pods are %s, were %s", now, before)
	}
}

// TestDisks: a disk is full, grows while its pod runs, and keeps its data over the pod's end.
func TestDisks(t *testing.T) {
	t.Parallel()
	s := newSpace(t)
	s.done()
	pod := s.get("pod/web-1", "{.metadata.uid}")
	if out, err := s.tell("web-1", "/fill?megabytes=20"); err != nil {
		t.Fatal(out, err)
	}
	if out, err := s.tell("web-1", "/fill?megabytes=60"); err == nil || !strings.Contains(err.Error(), "no space left on device") {
		t.Errorf("a disk of 64 MiB takes 80: %s, %v", out, err)
	}
	s.kubectl("annotate", "statefulset", "web", `setplan.io/claim-templates={"data":{"spec":{"resources":{"requests":{"storage":"256Mi"}}}}}`)
	for _, claim := range []string{"data-web-0", "data-web-1"} {
		s.prints("256Mi", "pvc/"+claim, "{.status.capacity.storage}")
	}
	if out, err := s.tell("web-1", "/fill?megabytes=60"); err != nil {
		t.Errorf("the disk has grown, and takes no more: %s, %v", out, err)
	}
	if now := s.get("pod/web-1", "{.metadata.uid}{.status.containerStatuses[0].restartCount}"); now != pod+"0" {
		t.Errorf("the pod is %s, was %s0", now, pod)
	}
	s.kubectl("delete", "pod", "web-1")
	s.done()
	if out, err := s.tell("web-1", "/fill?megabytes=160"); err == nil {
		t.Errorf("a disk of 256 MiB takes 300: %s", out)
	}
}

// TestGrowthRefused: a driver that refuses to grow is named, and what it refuses is done once it stops to.
func TestGrowthRefused(t *testing.T) {
	t.Parallel()
	s := newSpace(t)
	s.done()
	var calls []string
	for _, volume := range strings.Fields(s.get("pvc", "{.items[*].spec.volumeName}")) {
		calls = append(calls, "ControllerExpandVolume "+volume)
	}
	end := s.refuse(calls...)
	s.kubectl("annotate", "statefulset", "web", `setplan.io/claim-templates={"data":{"spec":{"resources":{"requests":{"storage":"128Mi"}}}}}`)
	s.until("why names the claim and the driver's words", func() (string, bool) {
		out := s.why()
		return out, strings.Contains(out, "data-web-1") && strings.Contains(out, "refuse")
	})
	end()
	s.prints("128Mi", "pvc/data-web-1", "{.status.capacity.storage}")
	s.done()
}

// TestKubeletGone: containers run on without their kubelet, and an update waits for it. A node that starts again starts them.
func TestKubeletGone(t *testing.T) {
	s := newSpace(t)
	s.done()
	pods := s.get("pods", uids)
	node := s.get("pod/web-1", "{.spec.nodeName}")
	kubelet := strings.Replace(node, "node", "kubelet", 1)
	s.local("stop", kubelet)
	t.Cleanup(func() {
		_, _ = command("", shared.program("setplan-local"), "start", kubelet, "--name", "nodes", "--dir", shared.state)
	})
	s.kubectl("set", "image", "statefulset/web", "app=setplan.local/app:2")
	s.prints("Unknown", "node/"+node, `{.status.conditions[?(@.type=="Ready")].status}`)
	if out := s.why(); !strings.Contains(out, node) {
		t.Errorf("why does not name %s:\n%s", node, out)
	}
	s.local("start", kubelet)
	s.done()
	if now := s.get("pods", uids); now == pods {
		t.Error("the pods were not updated")
	}
	s.local("restart", node)
	s.done()
}

// TestPartsRestart: DNS that dies starts again; so do storage and a kubelet that are told to, and no container notices. The network of nodes cannot end.
func TestPartsRestart(t *testing.T) {
	t.Parallel()
	s := newSpace(t, "replicas: 2", "replicas: 1")
	s.done()
	path, err := os.ReadFile(filepath.Join(shared.state, "nodes", "network.path"))
	if err != nil {
		t.Fatal(err)
	}
	namespace, err := network.Open(string(path))
	if err != nil {
		t.Fatal(err)
	}
	dns := net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) { return namespace.Dial(network.DNS + ":53") }}
	parent := strings.Split(string(path), "/")[2]
	for range 2 {
		s.until("DNS answers", func() (string, bool) {
			found, err := dns.LookupHost(t.Context(), "kubernetes.default.svc.cluster.local.")
			return fmt.Sprint(found, err), err == nil && found[0] == network.APIServer
		})
		child, err := command("", "pgrep", "--parent", parent, "setplan-dns")
		if err == nil {
			_, err = command("", "kill", "-KILL", child)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	pod := s.get("pods", uids+restarts)
	s.local("restart", "storage")
	s.local("restart", strings.Replace(s.get("pod/web-0", "{.spec.nodeName}"), "node", "kubelet", 1))
	s.kubectl("scale", "statefulset/web", "--replicas=2")
	s.done()
	if now := s.get("pods", uids+restarts); !strings.HasPrefix(now, strings.Fields(pod)[0]) || s.get("pods", restarts) != "00" {
		t.Errorf("the pods are %s, were %s", now, pod)
	}
	if _, err := command("", shared.program("setplan-local"), "restart", "network", "--name", "nodes", "--dir", shared.state); err == nil || !strings.Contains(err.Error(), "cut off") {
		t.Errorf("the network of nodes restarts: %v", err)
	}
}
