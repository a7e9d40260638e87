//go:build e2e

package e2e

import (
	"crypto/x509"
	"errors"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	setplan "github.com/setplan/setplan/clients/go"
	"github.com/setplan/setplan/deploy/authority"
)

// TestCentralPage runs the commands of docs/central.md, with the policy file of the page. Paths lead into folders of the test, addresses to loopback,
// and the adapter is told where its API server is; everything else is as on the page.
func TestCentralPage(t *testing.T) {
	t.Parallel()
	c := ownCluster(t, "central-page", "on")
	s := newScene(t, c)
	s.kubectlApply(definition)
	noError(t, c.serves(ownSets))
	page := s.mustRead("../../docs/central.md")
	folder := t.TempDir()
	path := func(elements ...string) string { return filepath.Join(append([]string{folder}, elements...)...) }
	policy := path("policy.yaml")
	noError(t, os.WriteFile(policy, []byte(block(t, page, "# policy.yaml\n")), 0o600))
	theirs := map[string]func(*x509.Certificate){
		"server":  func(c *x509.Certificate) { c.IPAddresses = []net.IP{net.IPv4(127, 0, 0, 1)} },
		"adapter": func(c *x509.Certificate) { c.Subject.CommonName = "east-adapter" },
		"west":    func(c *x509.Certificate) { c.DNSNames = []string{"adapter.west.example.org"} },
		"north":   func(c *x509.Certificate) { c.Subject.CommonName = "north-adapter" },
	}
	ca := must(authority.New("authority"))(t)
	for who, change := range theirs {
		noError(t, errors.Join(os.Mkdir(path(who), 0o700), ca.IssueTo(path(who, "tls"), change),
			authority.Replace(path(who, "ca.crt"), ca.PEM()), authority.Replace(path(who, "clients.crt"), ca.PEM())))
	}

	server := must(start(path("server.log"), "setplan-server", argumentsOn(t, page, "setplan-server", ":7450", "127.0.0.1:0", ":7451", "127.0.0.1:0",
		"/tls/", path("server")+"/", "/etc/setplan/policy.yaml", policy)...))(t)
	t.Cleanup(server.stop)
	line := must(server.waitForLog("msg=listening", 20*time.Second))(t)
	address := regexp.MustCompile(` addr=(\S+)`).FindStringSubmatch(line)[1]
	adapter := must(start(path("adapter.log"), "setplan-adapter", append(argumentsOn(t, page, "setplan-adapter", "planner.example.org:7450", address, "/tls/", path("adapter")+"/"),
		"--kubeconfig", c.kubeconfig)...))(t)
	t.Cleanup(adapter.stop)
	s.createUnder(ownSets, s.underKind(webSet("web", 2), ownKind, "StatefulSet"))
	s.ownSettled(ownSets, "web", "web-0 web-1")
	if _, err := server.waitForLog("caller=\"CN=east-adapter\" cluster=east", 20*time.Second); err != nil {
		t.Error(err)
	}

	asks := func(who string) error {
		client, err := setplan.Dial(address, setplan.WithTLSFiles(path(who, "ca.crt"), path(who, "tls.crt"), path(who, "tls.key")))
		if err != nil {
			t.Fatal(err)
		}
		defer client.Close()
		_, err = client.ServerInfo(t.Context())
		return err
	}
	if err := asks("west"); err != nil {
		t.Errorf("west, which is on the page: %v", err)
	}
	if err := asks("north"); status.Code(err) != codes.PermissionDenied || !strings.Contains(err.Error(), "CN=north-adapter") {
		t.Errorf("north, which is not: %v", err)
	}
}

// block is the block of code of a page that begins so.
func block(t *testing.T, page, begins string) string {
	t.Helper()
	for _, found := range regexp.MustCompile("(?s)```\\w+\n(.*?)```").FindAllStringSubmatch(page, -1) {
		if strings.HasPrefix(found[1], begins) {
			return found[1]
		}
	}
	t.Fatalf("no block of the page begins with %q", begins)
	return ""
}

// argumentsOn are the arguments of a command on a page, with some texts replaced. Each has to be there.
func argumentsOn(t *testing.T, page, program string, replace ...string) []string {
	t.Helper()
	command := strings.ReplaceAll(block(t, page, program+" "), "\\\n", "")
	for i := 0; i < len(replace); i += 2 {
		if !strings.Contains(command, replace[i]) {
			t.Fatalf("%s is not in %s", replace[i], command)
		}
		command = strings.ReplaceAll(command, replace[i], replace[i+1])
	}
	return strings.Fields(command)[1:]
}
