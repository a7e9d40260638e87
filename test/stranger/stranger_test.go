//go:build clients

package stranger

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
)

// root is the repository.
const root = "../.."

// firstPlan is the first screen of commands under its heading.
var firstPlan = regexp.MustCompile("(?s)\n## The first plan\n.*?```sh\n(.*?)```")

// TestFirstPlan runs each client's first screen, and reads the answer.
func TestFirstPlan(t *testing.T) {
	pages, err := filepath.Glob(root + "/clients/*/README.md")
	if err != nil || len(pages) < 2 {
		t.Fatalf("pages %v, %v", pages, err)
	}
	cluster := demo(t)
	for _, path := range pages {
		language := filepath.Base(filepath.Dir(path))
		t.Run(language, func(t *testing.T) {
			page, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			screen := firstPlan.FindSubmatch(page)
			if screen == nil {
				t.Fatal("the page has no first plan")
			}
			out := run(t, clean(t), cluster, string(screen[1]))
			if !strings.Contains(out, "web is as it should be") {
				t.Errorf("the example answers %s", out)
			}
		})
	}
}

// demo leaves the demo's cluster running, with its set, and returns the kubeconfig.
func demo(t *testing.T) string {
	t.Helper()
	command := exec.Command("bin/setplan-demo")
	command.Dir, command.Env = root, append(os.Environ(), "KEEP=1")
	out, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	said := func(expression string) string {
		found := regexp.MustCompile(expression).FindSubmatch(out)
		if found == nil {
			t.Fatalf("the demo does not say %s:\n%s", expression, out)
		}
		return string(found[1])
	}
	end := said(`\n *(kill .* && bin/setplan-local down .*)\n`)
	t.Cleanup(func() { shell(t, root, nil, end) })
	kubeconfig := said(`export KUBECONFIG=(\S+)`)
	environment := append(os.Environ(), "KUBECONFIG="+kubeconfig)
	shell(t, root, environment, said(`(bin/kubectl apply -f \S+)`)+" && bin/kubectl wait sts/web --for=jsonpath='{.status.readyReplicas}'=3 --timeout=2m")
	return kubeconfig
}

// clean is a folder with what git has of the repository as it is now, and the programs.
func clean(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	bin, err := filepath.Abs(filepath.Join(root, "bin"))
	if err != nil {
		t.Fatal(err)
	}
	shell(t, root, nil, "git ls-files -z --cached --others --exclude-standard | tar --null --files-from=- --create --ignore-failed-read | tar --extract --directory="+folder)
	if err := os.Symlink(bin, filepath.Join(folder, "bin")); err != nil {
		t.Fatal(err)
	}
	return folder
}

// run runs the screen as a stranger would paste it, and ends what it leaves in the background.
func run(t *testing.T, folder, kubeconfig, screen string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 15*time.Minute)
	defer cancel()
	command := exec.CommandContext(ctx, "bash", "-e", "-c", screen)
	command.Dir = folder
	command.Env = append(os.Environ(), "KUBECONFIG="+kubeconfig, "VIRTUAL_ENV=", "PATH="+environment(t)+":"+os.Getenv("PATH"))
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	// A file, and no pipe: what stays in the background would keep that open.
	log := filepath.Join(t.TempDir(), "log")
	out, err := os.Create(log)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	command.Stdout, command.Stderr = out, out
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	err = command.Wait()
	_ = syscall.Kill(-command.Process.Pid, syscall.SIGKILL) // the server
	said, unread := os.ReadFile(log)
	if err != nil || unread != nil {
		t.Fatalf("%v, %v\n%s", err, unread, said)
	}
	return string(said)
}

// environment is a fresh virtual environment of Python's, without which pip may not install on many systems. Other languages ignore it.
func environment(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	shell(t, folder, nil, "python3 -m venv .")
	return filepath.Join(folder, "bin")
}

func shell(t *testing.T, folder string, environment []string, line string) {
	t.Helper()
	command := exec.Command("bash", "-o", "pipefail", "-e", "-c", line)
	command.Dir, command.Env = folder, environment
	if out, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", line, err, out)
	}
}
