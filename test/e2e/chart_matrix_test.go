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

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"

	"github.com/setplan/setplan/server/access"
)

// factors are the values of the chart that change what it renders, each with the settings that matter; empty is the default.
var factors = [][]string{
	{"adapter.mode=reconcile", "adapter.mode=observe", "adapter.mode=drain", "adapter.enabled=false"},
	{"planner.place=inside", "planner.place=beside", "planner.place=remote,planner.address=planner:7450,planner.tls.secret=tls",
		"planner.place=remote,planner.address=planner:7450,planner.tls.secret=tls,planner.tokenAudience=setplan", "planner.place=remote,planner.address=planner:7450,planner.tls.issuer.name=ca"},
	{"server.enabled=true,server.tls.secret=tls,server.anybody=true", "server.enabled=true,server.anybody=true,server.tls.issuer.name=ca,server.tls.dnsNames={planner.example}",
		"server.enabled=true,server.tls.secret=tls,server.service=LoadBalancer," + policyValues,
		"server.enabled=true,server.tls.secret=tls,server.tokenAudience=setplan," + policyValues, "server.enabled=false"},
	{"", "adapter.own={apps/v1}", "adapter.own={apps/v1,apps.setplan.io/v1beta1}", `adapter.own={example.com/v1\,databases}`},
	{"", "adapter.namespaces={default,kube-public}"},
	{"", "adapter.drainNamespaces={*}", "adapter.drainNamespaces={default}"},
	{"metrics.enabled=true,metrics.readers[0].name=p,metrics.readers[0].namespace=default", "metrics.enabled=false",
		"metrics.certSecret=tls,metrics.serviceMonitor=true", "metrics.serviceMonitor=true"},
	{"networkPolicy.enabled=false", "networkPolicy.enabled=true", "networkPolicy.enabled=true,networkPolicy.metricsFrom[0].podSelector.matchLabels.a=b," +
		"networkPolicy.plannerFrom[0].namespaceSelector.matchLabels.a=b"},
	{"priorityClassName=", "priorityClassName=system-cluster-critical"},
	{"adapter.replicas=1,server.replicas=1", "adapter.replicas=3", "podDisruptionBudget=false"},
	{"crd.install=true", "crd.install=false"},
	{"image.registry=registry.example/mirror,image.pullSecrets={a}", "nodeSelector.a=b,tolerations[0].operator=Exists", "adapter.extraArgs={--workers=9}"},
}

// policyValues are clusters of the server's policy file.
const policyValues = "server.clusters[0].name=east,server.clusters[0].identities={CN=east,URI=spiffe://example.org/east}," +
	"server.clusters[0].limits.callsPerSecond=5,server.clusters[0].limits.maxPods=2000000,server.clusters[1].name=west,server.clusters[1].identities={CN=007,TOKEN=system:serviceaccount:a:b}"

// TestChartPolicy: the server reads what the chart writes, and nobody is served whom the values do not name.
func TestChartPolicy(t *testing.T) {
	t.Parallel()
	out := must(run(t.Context(), nil, "helm", "template", "m", "../../deploy/chart", "--set", "server.enabled=true,server.tls.secret=tls,"+policyValues))(t)
	if !strings.Contains(out, "- --policy-file=/etc/setplan/policy/policy.yaml") {
		t.Error("the server has no policy file")
	}
	for document := range strings.SplitSeq(out, "\n---\n") {
		var object corev1.ConfigMap
		if err := yaml.Unmarshal([]byte(document), &object); err != nil || object.Name != "m-server-policy" {
			continue
		}
		p, err := access.Parse([]byte(object.Data["policy.yaml"]))
		if err != nil {
			t.Fatalf("%v:\n%s", err, object.Data["policy.yaml"])
		}
		east, west := p.Of([]string{"URI=spiffe://example.org/east"}), p.Of([]string{"CN=007"})
		if east == nil || east.Limits != (access.Limits{CallsPerSecond: 5, MaxPods: 2_000_000}) || west == nil || west.Name != "west" {
			t.Errorf("read as %+v and %+v", east, west)
		}
		return
	}
	t.Error("the chart writes no policy")
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
		if contradicts(row) {
			t.Fatalf("the row %v contradicts itself", row)
		}
		args := []string{"template", "m", "../../deploy/chart", "--namespace", s.namespace}
		for f, setting := range row {
			if factors[f][setting] != "" {
				args = append(args, "--set", factors[f][setting])
			}
		}
		what := strings.Join(args[4:], " ")
		text, err := s.helm(args...)
		if err != nil {
			t.Errorf("%s: %v", what, err)
			continue
		}
		file := filepath.Join(t.TempDir(), fmt.Sprintf("%d.yaml", i))
		noError(t, os.WriteFile(file, []byte(text), 0o600))
		if _, err := s.kubectl("create", "--dry-run=server", "--validate=strict", "-f", file); err != nil && !onlyThere(err) {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// contradicts: the mode drain takes no kinds, and a release without adapter and server is nothing.
func contradicts(row []int) bool {
	mode, server, own := factors[0][row[0]], factors[2][row[2]], factors[3][row[3]]
	return mode == "adapter.mode=drain" && own != "" || mode == "adapter.enabled=false" && server == "server.enabled=false"
}

// refused are values that the schema of the chart refuses.
var refused = map[string]string{
	"kinds while draining":      "adapter.mode=drain,adapter.own={apps/v1}",
	"nothing at all":            "adapter.enabled=false",
	"a planner without address": "planner.place=remote,planner.tls.secret=a",
	"a planner without TLS":     "planner.place=remote,planner.address=a:1",
	"two certificates":          "planner.place=remote,planner.address=a:1,planner.tls.secret=a,planner.tls.issuer.name=b",
	"a server without TLS":      "server.enabled=true",
	"an address inside":         "planner.address=a:1",
	"a flag of the chart's":     "adapter.extraArgs={--mode=observe}",
	"a misspelled value":        "adapter.namespace=a",
	"a wildcard among names":    `adapter.drainNamespaces={*,a}`,
	"a kind of the group apps":  "adapter.own={apps/v1beta1}",
	"a server for nobody":       "server.enabled=true,server.tls.secret=a",
	"one whose last is removed": "server.enabled=true,server.tls.secret=a,server.clusters=null",
	"named ones and anybody":    "server.enabled=true,server.tls.secret=a,server.anybody=true," + policyValues,
	"an account of no name":     "server.enabled=true,server.tls.secret=a,server.clusters[0].name=a,server.clusters[0].identities={TOKEN=system:serviceaccount:A:B}",
	"an identity of no kind":    "server.enabled=true,server.tls.secret=a,server.clusters[0].name=a,server.clusters[0].identities={east}",
}

// TestChartRefuses: what would not work is said when it is installed.
func TestChartRefuses(t *testing.T) {
	t.Parallel()
	for name, values := range refused {
		t.Run(name, func(t *testing.T) {
			out, err := run(t.Context(), nil, "helm", "template", "m", "../../deploy/chart", "--set", values)
			if err == nil || !strings.Contains(err.Error(), "values don't meet the specifications of the schema") {
				t.Errorf("%s: %v %.200s", values, err, out)
			}
		})
	}
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
		noError(s, json.Unmarshal(out, &downloaded))
		for _, file := range files {
			s.kubectlApply(filepath.Join(downloaded.Dir, file), "--server-side")
		}
	}
	eventually(s, 30*time.Second, "the definitions are served", func() error {
		_, err := s.kubectl("get", "certificates.cert-manager.io,servicemonitors.monitoring.coreos.com,podmonitors.monitoring.coreos.com")
		return err
	})
}

// pair is two settings of two factors.
type pair struct{ f, setting, g, other int }

// pairwise lists rows of settings, one for each factor, in which any two settings of two factors that go together meet at least once. Each
// row begins with the first pair that has not met, and takes for every other factor the setting that meets most of those.
func pairwise(factors [][]string) [][]int {
	var open []pair
	for f := range factors {
		for g := f + 1; g < len(factors); g++ {
			for i := range factors[f] {
				for j := range factors[g] {
					row := make([]int, len(factors))
					row[f], row[g] = i, j
					if !contradicts(row) {
						open = append(open, pair{f, i, g, j})
					}
				}
			}
		}
	}
	var rows [][]int
	for len(open) > 0 {
		row := make([]int, len(factors)) // the first settings contradict nothing
		pinned := map[int]bool{open[0].f: true, open[0].g: true}
		row[open[0].f], row[open[0].g] = open[0].setting, open[0].other
		for f := range row {
			if pinned[f] {
				continue
			}
			best, most := row[f], -1
			for i := range factors[f] {
				row[f] = i
				if met := len(open) - len(without(open, row)); !contradicts(row) && met > most {
					best, most = i, met
				}
			}
			row[f] = best
		}
		open = without(open, row)
		rows = append(rows, row)
	}
	return rows
}

// without are the pairs that do not meet in a row.
func without(open []pair, row []int) []pair {
	var rest []pair
	for _, p := range open {
		if row[p.f] != p.setting || row[p.g] != p.other {
			rest = append(rest, p)
		}
	}
	return rest
}
