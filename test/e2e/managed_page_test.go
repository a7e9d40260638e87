//go:build e2e

package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"k8s.io/client-go/tools/clientcmd"
	"sigs.k8s.io/yaml"
)

// TestManagedPage runs the commands of docs/managed.md, as read from the page, beside the built-in controller. The adapter is the process
// that the page names for one's own machine, because there is no node on which the chart's Deployment could run.
func TestManagedPage(t *testing.T) {
	t.Parallel()
	c := ownCluster(t, "page", "on")
	s := newScene(t, c)
	page := s.mustRead("../../docs/managed.md")
	folder := t.TempDir()
	for name, target := range map[string]string{"deploy": "../../deploy", "bin": binDir()} {
		target := must(filepath.Abs(target))(t)
		noError(t, os.Symlink(target, filepath.Join(folder, name)))
	}
	set := webSet("web", 3)
	set.APIVersion, set.Kind, set.Namespace = "apps/v1", "StatefulSet", s.namespace
	manifest := must(yaml.Marshal(set))(t)
	noError(t, os.WriteFile(filepath.Join(folder, "web.yaml"), manifest, 0o600))
	config := must(clientcmd.LoadFromFile(c.kubeconfig))(t)
	config.Contexts[config.CurrentContext].Namespace = s.namespace
	kubeconfig := filepath.Join(folder, "kubeconfig")
	noError(t, clientcmd.WriteToFile(*config, kubeconfig))
	run := func(command string) string {
		shell := exec.Command("sh", "-c", command)
		shell.Dir, shell.Env = folder, append(os.Environ(), "KUBECONFIG="+kubeconfig, "PATH="+binDir()+":"+os.Getenv("PATH"))
		out, err := shell.CombinedOutput()
		t.Logf("$ %s\n%s", command, out)
		if err != nil {
			t.Fatalf("%s: %v: %s", command, err, out)
		}
		return string(out)
	}
	words := regexp.MustCompile("`bin/setplan-adapter ([^`]*)`").FindStringSubmatch(page)
	if words == nil {
		t.Fatal("the page names no command for the adapter")
	}

	// What holds after each command, in the order of the page.
	checks := []struct {
		command string
		holds   func(out string)
	}{
		{"helm install setplan deploy/chart", func(string) {
			noError(t, c.serves(ownSets))
			p := must(start(s.file("adapter.log"), "setplan-adapter", append(strings.Fields(words[1]), "--kubeconfig", c.kubeconfig)...))(t)
			t.Cleanup(p.kill)
		}},
		{"sed ", func(string) { s.ownSettled(ownSets, "web", "web-0 web-1 web-2") }},
		{"kubectl get ssts", func(out string) {
			if !strings.Contains(out, "web ") {
				t.Errorf("kubectl get shows no set: %s", out)
			}
		}},
		{"kubectl scale ssts/web", func(string) { s.ownSettled(ownSets, "web", "web-0 web-1 web-2 web-3 web-4") }},
		{"kubectl patch ssts web", func(string) { s.ownSettled(ownSets, "web", "web-0 web-2 web-3 web-4") }},
	}
	var commands []string
	for _, block := range regexp.MustCompile("(?s)```sh\n(.*?)```").FindAllStringSubmatch(page, -1) {
		commands = append(commands, strings.Split(strings.TrimSpace(block[1]), "\n")...)
	}
	if len(commands) != len(checks) {
		t.Fatalf("the page has %d commands, and this test knows %d: %q", len(commands), len(checks), commands)
	}
	for i, command := range commands {
		if !strings.HasPrefix(command, checks[i].command) {
			t.Fatalf("the page says %q where the test expects %q", command, checks[i].command)
		}
		checks[i].holds(run(command))
	}
	if list := run("kubectl get sts -o name"); strings.TrimSpace(list) != "" && !strings.Contains(list, "No resources") {
		t.Errorf("there is a set of apps/v1: %s", list)
	}
	eventually(t, 30*time.Second, "nobody but ours wrote the status", func() error {
		if out := run(`kubectl get ssts web -o jsonpath='{.metadata.managedFields[?(@.subresource=="status")].manager}'`); out != "setplan-adapter" {
			return fmt.Errorf("%s did", out)
		}
		return nil
	})
}
