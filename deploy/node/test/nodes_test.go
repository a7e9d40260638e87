//go:build nodes

package test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

const (
	uids     = "{range .items[*]}{.metadata.uid} {end}"
	restarts = "{range .items[*]}{.status.containerStatuses[0].restartCount}{end}"
	inPlace  = "setplan.io/in-place: InPlaceIfPossible"
)

// TestImagesInPlace: a container gets another image, and its pod stays. Two names of one image are two images for a kubelet, although it tells the
// same digest for both.
func TestImagesInPlace(t *testing.T) {
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

// TestBadImage: an image that is not there meets one pod, and the pod is back once the template is corrected.
func TestBadImage(t *testing.T) {
	for name, policy := range map[string]string{"recreated": "{}", "in place": "{" + inPlace + "}"} {
		t.Run(name, func(t *testing.T) {
			s := newSpace(t, "annotations: {}", "annotations: "+policy)
			s.done()
			untouched := s.get("pod/web-0", "{.metadata.uid}{.status.containerStatuses[0].restartCount}")
			s.kubectl("set", "image", "statefulset/web", "app=setplan.local/app:missing")
			s.until("why names the image", func() (string, bool) {
				out := s.why()
				return out, strings.Contains(first(out), "app:missing")
			})
			time.Sleep(5 * time.Second) // the next pod must not follow
			s.kubectl("set", "image", "statefulset/web", "app=setplan.local/app:2")
			if now := s.get("pod/web-0", "{.metadata.uid}{.status.containerStatuses[0].restartCount}"); now != untouched {
				t.Errorf("web-0 was touched: %s, was %s", now, untouched)
			}
			s.done()
		})
	}
}

// first is the first wait that why tells of.
func first(why string) string {
	_, rest, _ := strings.Cut(why, "\n1. ")
	line, _, _ := strings.Cut(rest, "\n2. ")
	return line
}

// TestResizes: more memory and processor without a restart; more than the node has ever is infeasible; more than it has now is deferred.
func TestResizes(t *testing.T) {
	s := newSpace(t, "annotations: {}", "annotations: {"+inPlace+", setplan.io/resize-infeasible: Wait}")
	s.done()
	before := s.get("pods", uids+restarts)
	s.kubectl("set", "resources", "statefulset/web", "--limits=memory=96Mi", "--requests=memory=48Mi,cpu=20m")
	s.done()
	if now := s.get("pods", uids+restarts); now != before {
		t.Errorf("the pods are %s, were %s", now, before)
	}
	s.kubectl("set", "resources", "statefulset/web", "--limits=memory=4000Gi", "--requests=memory=4000Gi")
	s.until("why says that the node never has so much", func() (string, bool) {
		out := s.why()
		return out, strings.Contains(first(out), "The pod requests more than its node can allocate in total: memory")
	})
	s.prints("ResizeInfeasible", "statefulset/web", `{.status.conditions[?(@.type=="Blocked")].reason}`)
	s.kubectl("set", "resources", "statefulset/web", "--limits=memory=96Mi", "--requests=memory=48Mi,cpu=20m")
	s.done()
	if now := s.get("pods", uids+restarts); now != before {
		t.Errorf("after a resize that cannot be: the pods are %s, were %s", now, before)
	}
}

// TestDisks: a disk is full, grows while its pod runs, and keeps its data over the pod's end.
func TestDisks(t *testing.T) {
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
	s := newSpace(t)
	s.done()
	refuse := filepath.Join(shared.state, "nodes", "volumes", "refuse")
	if err := os.WriteFile(refuse, []byte("ControllerExpandVolume\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.Remove(refuse) })
	s.kubectl("annotate", "statefulset", "web", `setplan.io/claim-templates={"data":{"spec":{"resources":{"requests":{"storage":"128Mi"}}}}}`)
	s.until("why names the claim and the driver's words", func() (string, bool) {
		out := s.why()
		return out, strings.Contains(out, "data-web-1") && strings.Contains(out, "refuse")
	})
	os.Remove(refuse)
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
