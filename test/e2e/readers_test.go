//go:build e2e

package e2e

import (
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// TestReaders: with TLS /metrics and /plans are only for callers that the real API server authenticates and authorizes; probes
// are open.
func TestReaders(t *testing.T) {
	t.Parallel()
	s := lab(t)
	_, cert, key, err := certificates(s.dir)
	if err != nil {
		t.Fatal(err)
	}
	p := must(startAdapter(s.dir, s.namespace+"-readers", s.adapterConfig("direct", ""), nil, "--namespace", s.namespace, "--mode", "observe",
		"--metrics-address", "127.0.0.1:0", "--metrics-cert-file", cert, "--metrics-key-file", key))(t)
	t.Cleanup(p.kill)
	a := &adapter{p, s}
	_, address, _ := strings.Cut(a.says(`msg="serving metrics" tls=true`), "address=")
	url := "https://" + strings.TrimSpace(address)
	reader, stranger := s.serviceAccount("prometheus"), s.serviceAccount("stranger")
	s.letRead("prometheus")

	read := readerOf(t)
	eventually(t, 30*time.Second, "the adapter is ready", func() error {
		if code, _ := read(url+"/readyz", ""); code != http.StatusOK {
			return fmt.Errorf("/readyz: %d", code)
		}
		return nil
	})
	for _, test := range []struct {
		reason, path, token string
		want                int
	}{
		{"a probe", "/healthz", "", http.StatusOK},
		{"nobody", "/metrics", "", http.StatusUnauthorized},
		{"nobody", "/plans", "", http.StatusUnauthorized},
		{"a made-up token", "/plans", "guess", http.StatusUnauthorized},
		{"a token without the right", "/metrics", stranger, http.StatusForbidden},
		{"a token without the right", "/plans", stranger, http.StatusForbidden},
		{"a token with the right", "/plans", reader, http.StatusOK},
		{"a token with the right", "/metrics", reader, http.StatusOK},
	} {
		if code, body := read(url+test.path, test.token); code != test.want {
			t.Errorf("%s, %s: %d, want %d: %s", test.reason, test.path, code, test.want, body)
		}
	}
	if code, body := read(url+"/metrics", reader); !strings.Contains(body, `setplan_adapter_readers_total{answer="forbidden"} 2`) {
		t.Errorf("%d: %s", code, body)
	}
	reviews := 0
	for _, r := range s.requests() {
		if r.what() == "create tokenreviews" {
			reviews++
		}
	}
	if reviews != 5 { // each token and path but the last once: guess, stranger and reader twice each
		t.Errorf("%d token reviews for 5 callers", reviews)
	}
}

// serviceAccount makes an account and returns a token for it.
func (s *scene) serviceAccount(name string) string {
	s.Helper()
	accounts := s.client.CoreV1().ServiceAccounts(s.namespace)
	must(accounts.Create(context.Background(), &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Name: name}}, metav1.CreateOptions{}))(s)
	token := must(accounts.CreateToken(context.Background(), name, &authenticationv1.TokenRequest{}, metav1.CreateOptions{}))(s)
	return token.Status.Token
}

// letRead gives an account the manifest's role for readers.
func (s *scene) letRead(account string) {
	s.Helper()
	s.applyRoles()
	must(s.client.RbacV1().ClusterRoleBindings().Create(context.Background(), &rbacv1.ClusterRoleBinding{
		ObjectMeta: metav1.ObjectMeta{Name: "e2e-reader-" + s.namespace},
		RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: "setplan-metrics-reader"},
		Subjects:   []rbacv1.Subject{{Kind: "ServiceAccount", Name: account, Namespace: s.namespace}},
	}, metav1.CreateOptions{}))(s)
}

// readerOf returns a reader over TLS, with a token if there is one.
func readerOf(t *testing.T) func(url, token string) (int, string) {
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}, Timeout: 20 * time.Second}
	return func(url, token string) (int, string) {
		t.Helper()
		request := must(http.NewRequest(http.MethodGet, url, nil))(t)
		if token != "" {
			request.Header.Set("Authorization", "Bearer "+token)
		}
		answer := must(client.Do(request))(t)
		defer answer.Body.Close()
		body := must(io.ReadAll(answer.Body))(t)
		return answer.StatusCode, string(body)
	}
}
