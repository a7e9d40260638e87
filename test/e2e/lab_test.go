//go:build e2e

package e2e

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"

	"github.com/setplan/setplan/test/invariants"
)

// laboratory is a control plane without an adapter. Tests that kill things bring their own server and an adapter that sees only
// their namespace.
var laboratory struct {
	sync.Mutex
	*cluster
	err error
}

// lab is a scene in the laboratory, which the first caller starts.
func lab(t *testing.T) *scene {
	t.Helper()
	laboratory.Lock()
	if laboratory.cluster == nil && laboratory.err == nil {
		laboratory.cluster, laboratory.err = upForKind(shared.dir, "lab")
	}
	c, err := laboratory.cluster, laboratory.err
	laboratory.Unlock()
	if err != nil {
		t.Fatal(err)
	}
	return newScene(t, c)
}

// downLab stops the laboratory if it was started; TestMain calls it.
func downLab() error {
	laboratory.Lock()
	defer laboratory.Unlock()
	if laboratory.cluster == nil {
		return nil
	}
	return laboratory.cluster.down()
}

// ownCluster is a control plane for this test alone.
func ownCluster(t *testing.T, name, builtIn string) *cluster {
	t.Helper()
	c := must(upCluster(shared.dir, name, builtIn))(t)
	t.Cleanup(func() {
		var keep []string
		if t.Failed() {
			keep = []string{"--keep-logs"}
		}
		ctx, cancel := context.WithTimeout(context.Background(), busy*time.Minute)
		defer cancel()
		if _, err := c.local(ctx, "down", keep...); err != nil {
			t.Error(err)
		}
	})
	return c
}

// file names a file of the scene in the run's folder.
func (s *scene) file(name string) string { return filepath.Join(s.dir, s.namespace+"-"+name) }

// user is the name of the scene's adapters in the audit log.
func (s *scene) user() string { return "adapter-of-" + s.namespace }

// adapterConfig writes a kubeconfig for the scene's own user, who may do everything. An empty proxy means the API server
// itself.
func (s *scene) adapterConfig(name, proxy string) string {
	s.Helper()
	cluster := &clientcmdapi.Cluster{Server: s.config.Host, CertificateAuthority: s.config.CAFile, CertificateAuthorityData: s.config.CAData}
	user := &clientcmdapi.AuthInfo{Token: s.config.BearerToken, Impersonate: s.user(), ImpersonateGroups: []string{"system:masters"}}
	if proxy != "" {
		cluster, user.Token = &clientcmdapi.Cluster{Server: proxy}, ""
	}
	path := s.file(name + ".kubeconfig")
	noError(s, clientcmd.WriteToFile(clientcmdapi.Config{
		Clusters:  map[string]*clientcmdapi.Cluster{"c": cluster},
		AuthInfos: map[string]*clientcmdapi.AuthInfo{"u": user},
		Contexts:  map[string]*clientcmdapi.Context{"x": {Cluster: "c", AuthInfo: "u"}}, CurrentContext: "x",
	}, path))
	return path
}

// ownPlanner starts a server for this scene.
func (s *scene) ownPlanner(name, address string) *planner {
	s.Helper()
	p := must(startPlanner(s.dir, s.namespace+"-"+name, address))(s)
	s.Cleanup(p.kill)
	return p
}

// adapter is an adapter process of one scene.
type adapter struct {
	*process
	scene *scene
}

// unelected is for scenes with one adapter at a time: nobody waits for the lease of one that was killed.
var unelected = []string{"--own", underTest, "--leader-elect=false"}

// ownAdapter starts an adapter that sees only the scene's namespace; planner nil means embedded.
func (s *scene) ownAdapter(name, kubeconfig string, planner *planner, args ...string) *adapter {
	s.Helper()
	args = append([]string{"--namespace", s.namespace, "--metrics-address", "127.0.0.1:0"}, args...)
	p := must(startAdapter(s.dir, s.namespace+"-"+name, kubeconfig, planner, args...))(s)
	s.Cleanup(func() {
		if s.Failed() {
			s.Logf("the end of the log of %s:\n%s", name, p.tail())
		}
		secrets.inAnswers(p)
		p.kill()
	})
	a := &adapter{p, s}
	s.plans = p
	eventually(s, time.Minute, name+" has begun, or waits for its lease", func() error {
		log := string(must(os.ReadFile(p.log))(s))
		for _, text := range []string{"the caches are filled", "ours=false", "does not ask for the lease"} {
			if strings.Contains(log, text) {
				return nil
			}
		}
		return errors.New("it has not")
	})
	return a
}

// says waits until the adapter has logged a text.
func (a *adapter) says(text string) string {
	a.scene.Helper()
	line := must(a.waitForLog(text, 60*time.Second))(a.scene)
	return line
}

// fetch reads a path that the adapter serves.
func (a *adapter) fetch(path string) string {
	a.scene.Helper()
	_, address, _ := strings.Cut(a.says(`msg="serving metrics"`), "address=")
	response := must(http.Get("http://" + strings.TrimSpace(address) + path))(a.scene)
	defer response.Body.Close()
	body := must(io.ReadAll(response.Body))(a.scene)
	return string(body)
}

// metric is a value of the adapter's, by name and labels in the text format; 0 if missing.
func (a *adapter) metric(name string) float64 {
	a.scene.Helper()
	for line := range strings.SplitSeq(a.fetch("/metrics"), "\n") {
		if text, found := strings.CutPrefix(line, name+" "); found {
			var value float64
			if _, err := fmt.Sscan(text, &value); err != nil {
				a.scene.Fatalf("%s: %v", line, err)
			}
			return value
		}
	}
	return 0
}

// becomes waits until a metric has a value.
func (a *adapter) becomes(metric string, want float64) {
	a.scene.Helper()
	eventually(a.scene, 60*time.Second, fmt.Sprintf("%s is %g", metric, want), func() error {
		if got := a.metric(metric); got != want {
			return fmt.Errorf("it is %g", got)
		}
		return nil
	})
}

// unbroken checks the scene's history against the invariants.
func (s *scene) unbroken() {
	s.Helper()
	s.unbrokenSince(0)
}

// unbrokenSince leaves out changes up to a version, and what the test itself did, named by its words in the violations.
func (s *scene) unbrokenSince(version int64, except ...string) {
	s.Helper()
	s.unbrokenBut(func(v invariants.Violation) bool {
		mine := slices.ContainsFunc(except, func(told string) bool { return strings.HasPrefix(v.What, told) })
		return mine || v.Version != 0 && v.Version <= version
	})
}

// unbrokenBut leaves out what the test itself did.
func (s *scene) unbrokenBut(mine func(invariants.Violation) bool) {
	s.Helper()
	s.caughtUp(s)
	if s.writes("Pod") == 0 {
		s.Error("the history has no pods to check")
	}
	var changes []invariants.Change
	for _, c := range s.all() {
		changes = append(changes, invariants.Change{Version: c.version, Deleted: c.event == "DELETED", Object: withStrategy(byAnnotations(c.object)), At: c.at})
	}
	violations, err := invariants.History(changes)
	if err != nil {
		s.Error(err)
	}
	for _, v := range violations {
		if !mine(v) {
			s.Errorf("invariant broken: %v", v)
		}
	}
}

// mustRead returns the content of a file.
func (s *scene) mustRead(path string) string {
	s.Helper()
	text := must(os.ReadFile(path))(s)
	return string(text)
}
