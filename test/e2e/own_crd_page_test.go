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
)

// TestOwnCRDPage runs the commands of docs/own-crd.md, as read from the page, beside the built-in controller. Those that end in & run as the
// service accounts of the example, with no other right.
func TestOwnCRDPage(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("python3"); err != nil {
		t.Fatalf("the example's operator needs python3: %v", err)
	}
	c := ownCluster(t, "own-crd", "on")
	s := newScene(t, c)
	root := must(filepath.Abs("../.."))(t)
	// as writes a kubeconfig; an empty token is that of the cluster's administrator.
	as := func(name, token string) string {
		config := must(clientcmd.LoadFromFile(c.kubeconfig))(t)
		context := config.Contexts[config.CurrentContext]
		context.Namespace = s.namespace
		if token != "" {
			user := config.AuthInfos[context.AuthInfo]
			user.Token, user.ClientCertificate, user.ClientKey, user.ClientCertificateData, user.ClientKeyData = token, "", "", nil, nil
		}
		path := s.file(name + ".kubeconfig")
		noError(t, clientcmd.WriteToFile(*config, path))
		return path
	}
	command := func(kubeconfig, text string) *exec.Cmd {
		shell := exec.Command("bash", "-c", text)
		shell.Dir, shell.Env = root, append(os.Environ(), "KUBECONFIG="+kubeconfig, "PATH="+binDir()+":"+os.Getenv("PATH"))
		return shell
	}
	admin := as("admin", "")
	run := func(text string) string {
		out, err := command(admin, text).CombinedOutput()
		t.Logf("$ %s\n%s", text, out)
		if err != nil {
			t.Fatalf("%s: %v: %s", text, err, out)
		}
		return string(out)
	}
	behind := func(account, text string) {
		token := must(command(admin, "kubectl create token --namespace setplan-system "+account).Output())(t)
		log := must(os.Create(s.file(account + ".log")))(t)
		p := command(as(account, strings.TrimSpace(string(token))), "exec "+strings.TrimSuffix(text, "&"))
		p.Stdout, p.Stderr = log, log
		noError(t, p.Start())
		t.Cleanup(func() {
			_ = p.Process.Kill()
			_ = p.Wait()
			if text, _ := os.ReadFile(log.Name()); t.Failed() {
				t.Logf("%s:\n%s", account, text)
			}
		})
	}
	block := regexp.MustCompile("(?s)```sh\n(.*?)```").FindStringSubmatch(s.mustRead("../../docs/own-crd.md"))
	if block == nil {
		t.Fatal("the page has no commands")
	}
	for _, line := range strings.Split(strings.TrimSpace(block[1]), "\n") {
		switch {
		case strings.HasPrefix(line, "setplan-adapter"):
			behind("setplan-adapter", line)
		case strings.HasPrefix(line, "python3"):
			behind("postgres-operator", line)
		default:
			out := run(line)
			if !strings.HasPrefix(line, "kubectl get databases") {
				continue
			}
			for _, want := range []string{"database.databases.example.com/shop   3", "pod/shop-0", "pod/shop-2", "persistentvolumeclaim/data-shop-1"} {
				if !strings.Contains(out, want) {
					t.Errorf("%s shows no %q", line, want)
				}
			}
		}
	}
	eventually(t, time.Minute, "the database and its pods go, and the data stay", func() error {
		left, err := command(admin, "kubectl get databases,pods -o name").Output()
		if err != nil || len(left) > 0 {
			return fmt.Errorf("%s is left: %v", left, err)
		}
		return nil
	})
	if claims := strings.Fields(run("kubectl get persistentvolumeclaims -o name")); len(claims) != 4 {
		t.Errorf("the claims are %v, want those of four members", claims)
	}
}
