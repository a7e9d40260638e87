//go:build nodes

package test

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"
)

// cluster is an instance with two real nodes and the adapter, for all tests.
type cluster struct {
	bin, state, kubeconfig string
	adapter                *exec.Cmd
}

var shared cluster

func TestMain(m *testing.M) {
	flag.Parse()
	_ = flag.Set("test.parallel", "12") // tests wait more than they work
	code, err := run(m)
	if err != nil {
		log.Print(err)
		code = 1
	}
	os.Exit(code)
}

func run(m *testing.M) (code int, err error) {
	bin, err := filepath.Abs("../../../bin")
	if err != nil {
		return 0, err
	}
	state, err := os.MkdirTemp("", "setplan-nodes-")
	if err != nil {
		return 0, err
	}
	shared = cluster{bin: bin, state: state}
	before := leftovers()
	defer func() {
		if e := shared.down(); e != nil {
			code, err = 1, e
		}
		if left := leftovers(); code == 0 && left != before {
			code, err = 1, fmt.Errorf("something is left on the machine:\n%s\nwas before:\n%s", left, before)
		}
	}()
	if err := shared.up(); err != nil {
		return 0, err
	}
	return m.Run(), nil
}

func (c *cluster) up() error {
	for _, image := range [][]string{{"app:1", "app:same"}, {"app:2"}, {"app:crash"}} {
		args := []string{"image", "--out", filepath.Join(c.state, image[0]+".tar"), "--label", "version=" + image[0], "--entrypoint", "/setplan-app", "/setplan-app=" + c.program("setplan-app")}
		if image[0] == "app:crash" {
			args = append([]string{args[0], "--env", "CRASH=7"}, args[1:]...)
		}
		for _, name := range image {
			args = append([]string{args[0], "--name", "setplan.local/" + name}, args[1:]...)
		}
		if _, err := command("", c.program("setplan-node"), args...); err != nil {
			return err
		}
	}
	out, err := command("", c.program("setplan-local"), "up", "--name", "nodes", "--dir", c.state, "--nodes", "real:2", "--statefulset-controller", "off")
	if err != nil {
		return err
	}
	c.kubeconfig = out
	for _, node := range []string{"node-0", "node-1"} {
		args := []string{"load", "--node", filepath.Join(c.state, "nodes", node), filepath.Join(c.state, "app:1.tar"), filepath.Join(c.state, "app:2.tar"), filepath.Join(c.state, "app:crash.tar")}
		if _, err := command("", c.program("setplan-node"), args...); err != nil {
			return err
		}
	}
	file, err := os.Create(filepath.Join(c.state, "nodes", "logs", "adapter.log"))
	if err != nil {
		return err
	}
	defer file.Close()
	c.adapter = exec.Command(c.program("setplan-adapter"), "--embedded", "--own", "apps/v1", "--kubeconfig", c.kubeconfig)
	c.adapter.Stdout, c.adapter.Stderr = file, file
	return c.adapter.Start()
}

func (c *cluster) down() error {
	if c.adapter != nil && c.adapter.Process != nil {
		_ = c.adapter.Process.Signal(os.Interrupt)
		_ = c.adapter.Wait()
	}
	if _, err := command("", c.program("setplan-local"), "down", "--all", "--dir", c.state); err != nil {
		return err
	}
	return os.RemoveAll(c.state)
}

func (c *cluster) program(name string) string { return filepath.Join(c.bin, name) }

// leftovers are the mounts, loop devices, control groups and network interfaces of the machine that have to do with nodes.
func leftovers() string {
	var found []string
	for _, look := range []struct{ program, pattern string }{
		{"mount", `setplan-nodes-`}, {"losetup --list", `setplan-nodes-`}, {"ls -d /sys/fs/cgroup/setplan-nodes-* /sys/fs/cgroup/*/setplan-nodes-*", `setplan-nodes-`},
		{"ip -br link", `^(node-|cni|br0|veth)`}, {"ps -eo args", `setplan-nodes-.*`},
	} {
		args := strings.Fields(look.program)
		out, _ := exec.Command("sh", "-c", strings.Join(args, " ")).Output() // nothing found is an error for some
		for _, line := range regexp.MustCompile(`(?m)^.*`+look.pattern).FindAllString(string(out), -1) {
			if !strings.Contains(line, "test.timeout") { // this program
				found = append(found, line)
			}
		}
	}
	return strings.Join(found, "\n")
}

func command(stdin, program string, args ...string) (string, error) {
	var stderr bytes.Buffer
	cmd := exec.Command(program, args...)
	cmd.Stdin, cmd.Stderr = strings.NewReader(stdin), &stderr
	out, err := cmd.Output()
	if err != nil {
		return string(out), fmt.Errorf("%s %s: %w\n%s", filepath.Base(program), strings.Join(args, " "), err, stderr.String())
	}
	return strings.TrimSpace(string(out)), nil
}

// space is a namespace of a test, with one set.
type space struct {
	*testing.T
	name string
}

// newSpace makes a namespace with the set web, whose manifest may be changed before by pairs of texts.
func newSpace(t *testing.T, changes ...string) *space {
	t.Helper()
	s := &space{t, strings.ToLower(regexp.MustCompile(`[^A-Za-z0-9]+`).ReplaceAllString(t.Name(), "-"))}
	s.kubectl("create", "namespace", s.name)
	t.Cleanup(func() {
		if t.Failed() {
			out, _ := s.try("get", "pods,pvc,events", "-o", "wide")
			t.Log(out)
			t.Log(s.why())
		}
		s.kubectl("delete", "namespace", s.name, "--wait=false")
	})
	s.apply(strings.NewReplacer(changes...).Replace(web))
	return s
}

const web = `apiVersion: v1
kind: Service
metadata: {name: web}
spec: {clusterIP: None, selector: {app: web}, ports: [{port: 8080}]}
---
apiVersion: apps/v1
kind: StatefulSet
metadata:
  name: web
  annotations: {}
spec:
  replicas: 2
  serviceName: web
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      terminationGracePeriodSeconds: 1
      volumes: [{name: secret, secret: {secretName: nothing}}] # only one case mounts it
      containers:
      - name: app
        image: setplan.local/app:1
        env: [{name: DATA, value: /data}]
        readinessProbe: {httpGet: {path: /ready, port: 8080}, periodSeconds: 1}
        resources: {requests: {cpu: 10m, memory: 32Mi}, limits: {memory: 64Mi}}
        volumeMounts: [{name: data, mountPath: /data}]
  volumeClaimTemplates:
  - metadata: {name: data}
    spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 64Mi}}}
`

func (s *space) try(args ...string) (string, error) {
	return command("", shared.program("kubectl"), append([]string{"--kubeconfig", shared.kubeconfig, "--namespace", s.name}, args...)...)
}

func (s *space) kubectl(args ...string) string {
	s.Helper()
	out, err := s.try(args...)
	if err != nil {
		s.Fatal(err)
	}
	return out
}

func (s *space) apply(manifest string) {
	s.Helper()
	if _, err := command(manifest, shared.program("kubectl"), "--kubeconfig", shared.kubeconfig, "--namespace", s.name, "apply", "-f", "-"); err != nil {
		s.Fatal(err)
	}
}

// why is what the command says of the set.
func (s *space) why() string {
	out, _ := command("", shared.program("setplan"), "why", "web", "--kubeconfig", shared.kubeconfig, "--namespace", s.name) // it fails where the set waits
	return out
}

// says waits until the first wait that why tells of has all these words.
func (s *space) says(words ...string) {
	s.Helper()
	s.until("why says "+strings.Join(words, " and "), func() (string, bool) {
		out := s.why()
		for _, word := range words {
			if !strings.Contains(first(out), word) {
				return out, false
			}
		}
		return out, true
	})
	s.Log(first(s.why()))
}

// first is the first wait that why tells of.
func first(why string) string {
	_, rest, _ := strings.Cut(why, "\n1. ")
	line, _, _ := strings.Cut(rest, "\n2. ")
	return line
}

var refusals sync.Mutex

// refuse has the driver of disks refuse calls, until the function is called or the test ends.
func (s *space) refuse(calls ...string) (end func()) {
	s.Helper()
	lines, file := strings.Join(calls, "\n")+"\n", filepath.Join(shared.state, "nodes", "volumes", "refuse")
	change := func(to func(string) string) {
		refusals.Lock()
		defer refusals.Unlock()
		content, _ := os.ReadFile(file) // none: nothing is refused
		err := os.WriteFile(file+".new", []byte(to(string(content))), 0o644)
		if err := errors.Join(err, os.Rename(file+".new", file)); err != nil {
			s.Error(err)
		}
	}
	end = func() { change(func(content string) string { return strings.Replace(content, lines, "", 1) }) }
	change(func(content string) string { return content + lines })
	s.Cleanup(end)
	return end
}

// until waits until something is as it is to be, and is shown otherwise.
func (s *space) until(what string, is func() (string, bool)) {
	s.Helper()
	var last string
	for end := time.Now().Add(3 * time.Minute); time.Now().Before(end); time.Sleep(250 * time.Millisecond) {
		var ok bool
		if last, ok = is(); ok {
			return
		}
	}
	s.Fatalf("%s: not in three minutes: %s", what, last)
}

// get reads a path of an object, or of a list of them.
func (s *space) get(object, path string) string {
	s.Helper()
	return s.kubectl("get", object, "-o", "jsonpath="+path)
}

// prints waits until kubectl reads a value there.
func (s *space) prints(want, object, path string) {
	s.Helper()
	s.until(object+" "+path+" is "+want, func() (string, bool) {
		got, err := s.try("get", object, "-o", "jsonpath="+path)
		return fmt.Sprint(got, err), err == nil && got == want
	})
}

// done waits until the set is where it is to be.
func (s *space) done() {
	s.Helper()
	s.until("the set is done", func() (string, bool) {
		out, err := s.try("get", "statefulset", "web", "-o",
			`jsonpath={.metadata.generation}/{.status.observedGeneration} {.spec.replicas}/{.status.updatedReplicas}/{.status.availableReplicas}/{.status.replicas} {.status.conditions[?(@.type=="Reconciling")].status}`)
		var generation, observed, want, updated, available, all int
		var reconciling string
		_, scanned := fmt.Sscanf(out, "%d/%d %d/%d/%d/%d %s", &generation, &observed, &want, &updated, &available, &all, &reconciling)
		return fmt.Sprint(out, err), err == nil && scanned == nil && generation == observed && want == updated && want == available && want == all && reconciling == "False"
	})
}

// tell calls the server of a pod, through the API server.
func (s *space) tell(pod, path string) (string, error) {
	return command("", shared.program("kubectl"), "--kubeconfig", shared.kubeconfig, "create", "--filename", "-", "--raw",
		"/api/v1/namespaces/"+s.name+"/pods/"+pod+":8080/proxy"+path)
}

// local runs setplan-local.
func (s *space) local(args ...string) {
	s.Helper()
	if _, err := command("", shared.program("setplan-local"), append(args, "--name", "nodes", "--dir", shared.state)...); err != nil {
		s.Fatal(err)
	}
}
