//go:build e2e && linux

package e2e

import (
	"context"
	"crypto/x509"
	"errors"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	setplan "github.com/setplan/setplan/clients/go"
	"github.com/setplan/setplan/deploy/authority"
	"github.com/setplan/setplan/deploy/kubelet"
)

// serveChart makes what is there before a server is installed: the namespace, the secrets, and an address for its service.
func (s *scene) serveChart(k *kubelet.Kubelet) {
	s.Helper()
	listener := must(net.Listen("tcp", "127.0.0.1:0"))(s)
	s.Cleanup(func() { _ = listener.Close() })
	s.plannerService = listener.Addr().String()
	k.Forward = []string{s.plannerService}
	go k.Service(listener, "app.kubernetes.io/name", "setplan-server", 7450)

	namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: k.Namespace}}
	if _, err := s.client.CoreV1().Namespaces().Create(context.Background(), namespace, metav1.CreateOptions{}); err != nil && !apierrors.IsAlreadyExists(err) {
		s.Fatal(err)
	}
	ca := must(authority.New("authority"))(s)
	for name, change := range map[string]func(*x509.Certificate){
		"server":  func(c *x509.Certificate) { c.IPAddresses = []net.IP{net.IPv4(127, 0, 0, 1)} },
		"adapter": func(c *x509.Certificate) { c.Subject.CommonName = "adapter" },
	} {
		certificate, key, err := ca.Issue(change)
		if err != nil {
			s.Fatal(err)
		}
		must(s.client.CoreV1().Secrets(k.Namespace).Create(context.Background(), &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: name},
			Data: map[string][]byte{"ca.crt": ca.PEM(), "tls.crt": certificate, "tls.key": key}}, metav1.CreateOptions{}))(s)
	}
}

// serverRights: a server asks the API server whose a token is where it takes tokens, and never anything else.
func (s *scene) serverRights(release string, choice choice) {
	s.Helper()
	requests := must(s.requestsOf("setplan-server", ""))(s)
	reviews := 0
	for _, r := range requests {
		if r.User.Username != "system:serviceaccount:"+release+":"+release+"-server" {
			continue
		}
		if r.what() != "create tokenreviews" || r.forbidden() {
			s.Errorf("the server asks to %s; forbidden: %v", r.what(), r.forbidden())
		}
		reviews++
	}
	if (reviews > 0) != (release == "tokens") {
		s.Errorf("%d reviews of tokens", reviews)
	}
}

// TestChartServer installs servers alone, for clusters elsewhere.
func TestChartServer(t *testing.T) {
	t.Parallel()
	s := newScene(t, ownCluster(t, "chart-server", "on"))
	pods := s.install("alone", choice{servers: 2, values: append([]string{"adapter.enabled=false",
		"server.clusters[0].name=east,server.clusters[0].identities={CN=adapter},server.clusters[0].limits.maxPods=100"}, twoServers...)})
	for _, p := range pods {
		s.isConfined(p)
	}
	s.serverRights("alone", choice{})
	folder := t.TempDir()
	for _, name := range []string{"adapter", "server"} {
		secret := must(s.client.CoreV1().Secrets("alone").Get(t.Context(), name, metav1.GetOptions{}))(t)
		for file, key := range map[string]string{name + ".crt": "tls.crt", name + ".key": "tls.key", "ca.crt": "ca.crt"} {
			noError(t, os.WriteFile(filepath.Join(folder, file), secret.Data[key], 0o600))
		}
	}
	asks := func(name string) error {
		path := func(file string) string { return filepath.Join(folder, file) }
		client, err := setplan.Dial(s.plannerService, setplan.WithTLSFiles(path("ca.crt"), path(name+".crt"), path(name+".key")))
		if err != nil {
			t.Fatal(err)
		}
		defer client.Close()
		_, err = client.ServerInfo(t.Context())
		return err
	}
	if err := asks("adapter"); err != nil {
		t.Errorf("the cluster of the policy: %v", err)
	}
	if err := asks("server"); status.Code(err) != codes.PermissionDenied {
		t.Errorf("a good certificate of no cluster: %v", err)
	}
	must(s.helm("uninstall", "alone", "--namespace", "alone"))(t)
	eventually(t, 30*time.Second, "the servers are gone", func() error {
		if asks("adapter") == nil {
			return errors.New("they answer")
		}
		return nil
	})
}
