//go:build e2e

package e2e

import (
	"context"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"

	"github.com/setplan/setplan/clients/cli/convert"
)

// TestConvertKilled moves sets there and back. Each command is killed twice, before and after the API server has carried out its first
// write, and then repeated. After each kill our controller is killed too; it sees everything late. The built-in controller is restarted
// after the command that deletes the old set was killed. Nothing is lost, and the claims have the right owners.
func TestConvertKilled(t *testing.T) {
	t.Parallel()
	c := ownCluster(t, "convert-killed", "on")
	if out, err := c.kubectl("apply", "-f", definition); err != nil {
		t.Fatal(err, out)
	}
	noError(t, c.serves(ownSets))
	for name, prepare := range map[string]func(s *scene){
		"between revisions": func(s *scene) {
			s.patch("web", `{"spec":{"updateStrategy":{"rollingUpdate":{"partition":2}},"template":{"spec":{"containers":[{"name":"nginx","image":"`+image2+`"}]}}}}`)
			s.partly("web", 1)
		},
		"collided": func(s *scene) {
			s.must(`kubectl patch sts web --subresource=status --type=merge -p '{"status":{"collisionCount":3}}'`)
			s.image("web", image2)
			s.settled("web")
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newScene(t, c)
			s.create(webSet("web", 4, parallel, func(set *appsv1.StatefulSet) {
				set.Spec.PersistentVolumeClaimRetentionPolicy = &appsv1.StatefulSetPersistentVolumeClaimRetentionPolicy{
					WhenDeleted: appsv1.DeletePersistentVolumeClaimRetentionPolicyType, WhenScaled: appsv1.RetainPersistentVolumeClaimRetentionPolicyType}
			}))
			s.settled("web")
			s.scale("web", 3)
			s.settled("web")
			prepare(s)

			k := &killer{mover: &mover{scene: s, TB: t, dir: t.TempDir(), late: newLate(s, 1500*time.Millisecond), left: map[string]bool{"www-web-3": true}}, proxy: newProxy(t, s.config)}
			k.startOurs()
			t.Cleanup(func() { k.stop() })
			collisions := s.get("web").Status.CollisionCount
			k.move("sts/web", convert.BuiltIn, convert.Own)
			k.move("ssts/web", convert.Own, convert.BuiltIn)
			if now := s.get("web").Status.CollisionCount; name == "collided" && (now == nil || *now != *collisions) {
				t.Errorf("names have collided %v times, were %v", now, *collisions)
			}
		})
	}
}

// killer is a mover whose commands are killed.
type killer struct {
	*mover
	proxy *proxy // between kubectl and the API server
}

// move runs all commands, and kills each twice before it ends.
func (k *killer) move(set string, from, to convert.Kind) {
	k.TB.Helper()
	for _, step := range k.asks(set, from).Steps {
		for _, done := range []bool{false, true} {
			k.killed(step.Command, done)
			k.stop()
			if done && strings.Contains(step.Command, " delete "+from.GVR().GroupResource().String()+"/web") {
				k.restartsBuiltIn()
			}
			k.startOurs()
			time.Sleep(time.Second)
			k.same("a kill in " + step.Command)
		}
		k.goesOn(step.Command)
		k.same(step.Command)
	}
	k.belongsTo(to)
	if st := k.status(to); st.CurrentRevision != k.before.current {
		k.TB.Errorf("the current revision is %s, was %s", st.CurrentRevision, k.before.current)
	}
}

// killed begins a command and kills all its processes at its first write, or at its first request if it writes nothing.
func (k *killer) killed(command string, done bool) {
	k.TB.Helper()
	writes := false
	for _, verb := range []string{" annotate ", " patch ", " create ", " delete "} {
		writes = writes || strings.Contains(command, verb)
	}
	frozen := k.proxy.freeze(done, func(c call) bool { return c.verb != http.MethodGet || !writes })
	shell := k.shell(command)
	shell.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	noError(k.TB, shell.Start())
	ended := make(chan error, 1)
	go func() { ended <- shell.Wait() }()
	select {
	case <-ended: // without a write, because it was done already
	case c := <-frozen.frozen:
		k.TB.Logf("killed at %s, done %v: $ %s", c.what(), done, command)
		noError(k.TB, syscall.Kill(-shell.Process.Pid, syscall.SIGKILL))
		<-ended
	case <-time.After(busy * time.Minute):
		k.TB.Fatalf("no request came from %s", command)
	}
	k.proxy.set(nil)
}

// goesOn runs a command as docs/convert.md says: an error that it was done already is fine, and the next command follows.
func (k *killer) goesOn(command string) {
	k.TB.Helper()
	out, err := k.shell(command).CombinedOutput()
	k.TB.Logf("$ %s\n%s", command, out)
	if err != nil && !strings.Contains(string(out), "AlreadyExists") && !strings.Contains(string(out), "NotFound") {
		k.TB.Fatalf("%s: %v: %s", command, err, out)
	}
}

// shell returns the command with kubectl behind the proxy.
func (k *killer) shell(command string) *exec.Cmd {
	shell := exec.Command("sh", "-c", command)
	shell.Dir, shell.Env = k.dir, append(os.Environ(), "KUBECONFIG="+k.through(k.proxy, "kubectl"), "PATH="+binDir()+":"+os.Getenv("PATH"))
	return shell
}

// through writes a kubeconfig that leads through a proxy, with the same name of the current context.
func (m *mover) through(p *proxy, name string) string {
	m.TB.Helper()
	config := must(clientcmd.LoadFromFile(m.kubeconfig))(m.TB)
	current := config.Contexts[config.CurrentContext]
	config.Clusters = map[string]*clientcmdapi.Cluster{current.Cluster: {Server: p.URL}}
	config.AuthInfos = map[string]*clientcmdapi.AuthInfo{current.AuthInfo: {}}
	path := filepath.Join(m.dir, name+".kubeconfig")
	noError(m.TB, clientcmd.WriteToFile(*config, path))
	return path
}

// oneRestart: two restarts of one control plane must not overlap.
var oneRestart sync.Mutex

// restartsBuiltIn restarts the process of the built-in controller and the garbage collector.
func (k *killer) restartsBuiltIn() {
	k.TB.Helper()
	oneRestart.Lock()
	defer oneRestart.Unlock()
	ctx, cancel := context.WithTimeout(context.Background(), busy*time.Minute)
	defer cancel()
	must(k.local(ctx, "restart", "controller-manager"))(k.TB)
}
