//go:build e2e

package e2e

import (
	"context"
	"crypto/x509"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/setplan/setplan/deploy/authority"
)

// cluster is one control plane of deploy/local.
type cluster struct {
	name       string
	dir        string // of all instances of this test run
	kubeconfig string
	config     *rest.Config
	client     kubernetes.Interface
}

// upCluster starts a control plane with the built-in StatefulSet controller on or off.
func upCluster(dir, name, builtIn string) (*cluster, error) {
	c := &cluster{name: name, dir: dir}
	ctx, cancel := context.WithTimeout(context.Background(), busy*3*time.Minute)
	defer cancel()
	out, err := c.local(ctx, "up", "--bin", binDir(), "--statefulset-controller", builtIn, "--audit",
		"--feature-gates", "MaxUnavailableStatefulSet=true")
	if err != nil {
		return nil, err
	}
	lines := strings.Split(strings.TrimSpace(out), "\n")
	c.kubeconfig = lines[len(lines)-1]
	if c.config, err = clientcmd.BuildConfigFromFlags("", c.kubeconfig); err != nil {
		return nil, err
	}
	c.config.QPS, c.config.Burst = 500, 1000
	c.client, err = kubernetes.NewForConfig(c.config)
	return c, err
}

// local runs a subcommand of setplan-local for this instance.
func (c *cluster) local(ctx context.Context, command string, args ...string) (string, error) {
	args = append([]string{command}, args...)
	return run(ctx, nil, "setplan-local", append(args, "--name", c.name, "--dir", c.dir)...)
}

// typesMinor is the minor version of our types. Sets from an API server of another are read as JSON, and their status is patched.
const typesMinor = 37

// minor is the API server's minor version.
func (c *cluster) minor(t testing.TB) int {
	t.Helper()
	version := must(c.client.Discovery().ServerVersion())(t)
	return must(strconv.Atoi(version.Minor))(t)
}

func (c *cluster) down() error {
	ctx, cancel := context.WithTimeout(context.Background(), busy*time.Minute)
	defer cancel()
	_, err := c.local(ctx, "down")
	return err
}

func (c *cluster) auditLog() string { return filepath.Join(c.dir, c.name, "audit.log") }

// kubectl runs the real kubectl as the administrator.
func (c *cluster) kubectl(args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), busy*2*time.Minute)
	defer cancel()
	return run(ctx, []string{"KUBECONFIG=" + c.kubeconfig}, "kubectl", args...)
}

// planner is a setplan-server process that serves TLS.
type planner struct {
	*process
	address string
	ca      string
}

// startPlanner runs setplan-server; address "127.0.0.1:0" picks a free port.
func startPlanner(dir, name, address string, args ...string) (*planner, error) {
	ca, cert, key, err := certificates(dir)
	if err != nil {
		return nil, err
	}
	p, err := start(filepath.Join(dir, name+".log"), "setplan-server", append([]string{"--listen-address", address,
		"--tls-cert-file", cert, "--tls-key-file", key, "--log-format", "json"}, args...)...)
	if err != nil {
		return nil, err
	}
	line, err := p.waitForLog(`"listening"`, 20*time.Second)
	if err != nil {
		return nil, err
	}
	_, rest, found := strings.Cut(line, `"addr":"`)
	if !found {
		return nil, fmt.Errorf("no address in %s", line)
	}
	return &planner{process: p, address: rest[:strings.Index(rest, `"`)], ca: ca}, nil
}

// startAdapter runs setplan-adapter against a cluster; planner nil means embedded.
func startAdapter(dir, name, kubeconfig string, planner *planner, args ...string) (*process, error) {
	args = append([]string{"--kubeconfig", kubeconfig, "--kube-api-qps", "500", "--kube-api-burst", "1000"}, args...)
	if planner != nil {
		args = append(args, "--planner-address", planner.address, "--planner-ca-file", planner.ca)
	} else {
		args = append(args, "--embedded")
	}
	return start(filepath.Join(dir, name+".log"), "setplan-adapter", args...)
}

// requirePrograms names the programs that are missing.
func requirePrograms() error {
	for _, name := range []string{"setplan-local", "controlplane", "kubectl", "setplan-server", "setplan-adapter", "setplan", "kubectl-setplan"} {
		if _, err := os.Stat(program(name)); err != nil {
			return fmt.Errorf("%w: run make e2e, which builds it", err)
		}
	}
	return nil
}

// certificates writes a serving certificate for loopback and the authority that signed it. The authority serves nothing itself:
// some TLS libraries, such as rustls, refuse an authority's certificate of a server.
func certificates(dir string) (ca, cert, key string, err error) {
	ca, name := filepath.Join(dir, "ca.crt"), filepath.Join(dir, "server")
	cert, key = name+".crt", name+".key"
	if _, err := os.Stat(cert); err == nil {
		return ca, cert, key, nil
	}
	signer, err := authority.New("setplan-e2e")
	if err != nil {
		return "", "", "", err
	}
	if err := authority.Replace(ca, signer.PEM()); err != nil {
		return "", "", "", err
	}
	// The certificate comes last: where it is, the others are, too.
	return ca, cert, key, signer.IssueTo(name, func(to *x509.Certificate) {
		to.IPAddresses, to.DNSNames = []net.IP{net.IPv4(127, 0, 0, 1)}, []string{"localhost"}
	})
}
