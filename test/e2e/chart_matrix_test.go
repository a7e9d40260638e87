//go:build e2e && linux

package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// factors are the values of the chart that change what it renders, each with the settings that matter.
var factors = [][]string{
	{"adapter.mode=reconcile", "adapter.mode=observe", "adapter.mode=drain", "adapter.enabled=false"},
	{"planner.place=inside", "planner.place=beside", "planner.place=remote,planner.address=planner:7450,planner.tls.secret=tls",
		"planner.place=remote,planner.address=planner:7450,planner.tls.issuer.name=ca"},
	{"server.enabled=true,server.tls.secret=tls", "server.enabled=true,server.tls.issuer.name=ca,server.tls.dnsNames={planner.example}",
		"server.enabled=true,server.tls.secret=tls,server.service=LoadBalancer", "server.enabled=false"},
	{"adapter.own={}", "adapter.own={apps/v1}", "adapter.own={apps/v1,apps.setplan.io/v1beta1}", `adapter.own={example.com/v1\,databases}`},
	{"adapter.namespaces={}", "adapter.namespaces={default,kube-public}"},
	{"adapter.drainNamespaces={}", "adapter.drainNamespaces={*}", "adapter.drainNamespaces={default}"},
	{"metrics.enabled=true,metrics.readers[0].name=p,metrics.readers[0].namespace=default", "metrics.enabled=false",
		"metrics.certSecret=tls,metrics.serviceMonitor=true", "metrics.serviceMonitor=true"},
	{"networkPolicy.enabled=false", "networkPolicy.enabled=true", "networkPolicy.enabled=true,networkPolicy.metricsFrom[0].podSelector.matchLabels.a=b," +
		"networkPolicy.plannerFrom[0].namespaceSelector.matchLabels.a=b"},
	{"priorityClassName=", "priorityClassName=system-cluster-critical"},
	{"adapter.replicas=1,server.replicas=1", "adapter.replicas=3", "podDisruptionBudget=false"},
	{"crd.install=true", "crd.install=false"},
	{"image.registry=registry.example/mirror,image.pullSecrets={a}", "nodeSelector.a=b,tolerations[0].operator=Exists", "adapter.extraArgs={--workers=9}"},
}

// TestChartMatrix renders the chart so that every setting of every factor meets every setting of every other one, and asks the API server
// in dry runs whether it takes the objects. Definitions of others are those of their own modules.
func TestChartMatrix(t *testing.T) {
	t.Parallel()
	s := onManaged(t)
	s.foreignDefinitions()
	all := pairwise(factors)
	t.Logf("%d combinations", len(all))
	for i, row := range all {
		args := []string{"template", "m", "../../deploy/chart", "--namespace", s.namespace}
		for f, setting := range row {
			args = append(args, "--set", factors[f][setting])
		}
		what := strings.Join(args[4:], " ")
		text, err := s.helm(args...)
		if contradicts(row) {
			if err == nil {
				t.Errorf("%s: the schema takes it", what)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", what, err)
			continue
		}
		file := filepath.Join(t.TempDir(), fmt.Sprintf("%d.yaml", i))
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := s.kubectl("create", "--dry-run=server", "--validate=strict", "-f", file); err != nil && !onlyThere(err) {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// contradicts: the mode drain takes no kinds, and a release without adapter and server is nothing.
func contradicts(row []int) bool {
	mode, server, own := factors[0][row[0]], factors[2][row[2]], factors[3][row[3]]
	return mode == "adapter.mode=drain" && own != "adapter.own={}" || mode == "adapter.enabled=false" && server == "server.enabled=false"
}

// onlyThere: the definition of our own kind is installed already, and creating it again is all that fails.
func onlyThere(err error) bool {
	_, message, _ := strings.Cut(err.Error(), "exit status 1: ")
	message = strings.TrimSpace(message)
	return !strings.Contains(message, "\n") && strings.Contains(message, `"statefulsets.apps.setplan.io" already exists`)
}

// foreignDefinitions installs what the chart uses of cert-manager and of the Prometheus operator.
func (s *scene) foreignDefinitions() {
	s.Helper()
	for module, files := range map[string][]string{
		"github.com/cert-manager/cert-manager@v1.21.2": {"deploy/crds/cert-manager.io_certificates.yaml"},
		"github.com/prometheus-operator/prometheus-operator@v0.85.0": {"example/prometheus-operator-crd/monitoring.coreos.com_servicemonitors.yaml",
			"example/prometheus-operator-crd/monitoring.coreos.com_podmonitors.yaml"},
	} {
		cmd := exec.Command("go", "mod", "download", "-json", module)
		cmd.Dir = s.dir // no module of ours needs it
		out, err := cmd.Output()
		if err != nil {
			s.Fatalf("%s: %v: %s", module, err, out)
		}
		var downloaded struct{ Dir string }
		if err := json.Unmarshal(out, &downloaded); err != nil {
			s.Fatal(err)
		}
		for _, file := range files {
			s.kubectlApply(filepath.Join(downloaded.Dir, file), "--server-side")
		}
	}
	eventually(s, 30*time.Second, "the definitions are served", func() error {
		_, err := s.kubectl("get", "certificates.cert-manager.io,servicemonitors.monitoring.coreos.com,podmonitors.monitoring.coreos.com")
		return err
	})
}

// pairwise lists rows of settings, one for each factor, in which any two settings of two factors meet at least once. It takes the setting
// that meets most pairs that have not met yet.
func pairwise(factors [][]string) [][]int {
	type pair struct{ f, setting, g, other int }
	open := map[pair]bool{}
	for f := range factors {
		for g := f + 1; g < len(factors); g++ {
			for i := range factors[f] {
				for j := range factors[g] {
					open[pair{f, i, g, j}] = true
				}
			}
		}
	}
	var rows [][]int
	for len(open) > 0 {
		row := make([]int, len(factors))
		for f := range row {
			best := -1
			for i := range factors[f] {
				setting := (i + len(rows)) % len(factors[f]) // where all are as good, each has its turn
				met := 0
				for g := range f {
					if open[pair{g, row[g], f, setting}] {
						met++
					}
				}
				for g := f + 1; g < len(factors); g++ {
					for j := range factors[g] {
						if open[pair{f, setting, g, j}] {
							met++
						}
					}
				}
				if met > best {
					best, row[f] = met, setting
				}
			}
		}
		before := len(open)
		for f := range row {
			for g := f + 1; g < len(row); g++ {
				delete(open, pair{f, row[f], g, row[g]})
			}
		}
		if len(open) == before { // a greedy row that meets nothing new: force the first pair that is left
			for f := range factors {
				for g := f + 1; g < len(factors); g++ {
					for i := range factors[f] {
						for j := range factors[g] {
							if open[pair{f, i, g, j}] {
								row[f], row[g] = i, j
							}
						}
					}
				}
			}
			for f := range row {
				for g := f + 1; g < len(row); g++ {
					delete(open, pair{f, row[f], g, row[g]})
				}
			}
		}
		rows = append(rows, row)
	}
	return rows
}
