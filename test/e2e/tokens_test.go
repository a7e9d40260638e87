//go:build e2e

package e2e

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"

	setplan "github.com/setplan/setplan/clients/go"
	"github.com/setplan/setplan/deploy/authority"
	"github.com/setplan/setplan/server"
	"github.com/setplan/setplan/server/tokens"
)

// forgotten is how long a token is good for after its pod is deleted, at most: the server remembers an answer for 10 s, and so does the API
// server.
const forgotten = 25 * time.Second

// issuer is the API server's, and the audience of tokens for itself.
const issuer = "https://kubernetes.default.svc"

// TestTokens: a server that reviews tokens with a real API server plans for who has a good one, and for nobody else.
func TestTokens(t *testing.T) {
	t.Parallel()
	s := lab(t)
	s.account("planner")
	binding := s.mayReview("planner")
	s.account("adapter")
	s.account("other")
	options := tokens.Options{Audience: "setplan", Server: s.config.Host, Folder: s.credentials("planner")}
	p := s.tokenServer(options)

	good := s.token("adapter", "setplan", nil)
	for reason, test := range map[string]struct{ token, says string }{
		"a good one":                  {good, ""},
		"for the API server":          {s.token("adapter", "", nil), "not for the audience"},
		"for somebody else":           {s.token("adapter", "elsewhere", nil), "not for the audience"},
		"of an account of no cluster": {s.token("other", "setplan", nil), "no cluster with one of the identities TOKEN=system:serviceaccount:" + s.namespace + ":other"},
		"expired":                     {s.minted("adapter", -time.Minute, nil), "it has expired"},
		"with another signature":      {good[:len(good)-20] + strings.Repeat("A", 20), "does not know it"},
		"signed by somebody else":     {s.minted("adapter", time.Hour, stranger(t)), "does not know it"},
		"garbage":                     {"garbage", "not a service account token"},
	} {
		if err := p.plan(t, test.token); test.says == "" && err != nil || test.says != "" && !denied(err, test.says) {
			t.Errorf("%s: %v", reason, err)
		}
	}
	s.expiredForTheAPIServer(options)
	s.otherSpellings(options, good)
	for audience, refused := range map[string]bool{issuer: true, "setplan": false} {
		of := options
		of.Audience = audience
		if _, err := tokens.New(of); (err != nil) != refused {
			t.Errorf("audience %s: %v", audience, err)
		}
	}

	// A replayed token: the pod is deleted, or its service account.
	uid := s.someonesPod("bound")
	bound := s.token("adapter", "setplan", &authenticationv1.BoundObjectReference{APIVersion: "v1", Kind: "Pod", Name: "bound", UID: uid})
	if err := p.plan(t, bound); err != nil {
		t.Fatalf("bound to a pod: %v", err)
	}
	noError(t, s.client.CoreV1().Pods(s.namespace).Delete(context.Background(), "bound", metav1.DeleteOptions{}))
	eventually(t, forgotten, "the token of a deleted pod is refused", func() error { return p.refuses(t, bound) })
	accounts := s.client.CoreV1().ServiceAccounts(s.namespace)
	noError(t, accounts.Delete(context.Background(), "adapter", metav1.DeleteOptions{}))
	s.account("adapter") // of the same name, and not the same one
	eventually(t, forgotten, "the token of a deleted account is refused", func() error { return p.refuses(t, good) })
	good = s.token("adapter", "setplan", nil)
	if err := p.plan(t, good); err != nil {
		t.Errorf("the new account's: %v", err)
	}

	// A server that may no longer ask serves nobody.
	noError(t, s.client.RbacV1().ClusterRoleBindings().Delete(context.Background(), binding, metav1.DeleteOptions{}))
	eventually(t, forgotten, "nobody is served unchecked", func() error {
		if err := p.plan(t, good); status.Code(err) != codes.ResourceExhausted {
			return fmt.Errorf("it is served: %v", err)
		}
		return nil
	})
	log := s.mustRead(p.log)
	if !strings.Contains(log, "403 Forbidden") {
		t.Error("the log does not say why")
	}
	for _, token := range []string{good, bound} {
		if strings.Contains(log, token[strings.LastIndexByte(token, '.'):]) {
			t.Error("a token is in the log")
		}
	}
}

// denied: the caller is told that it is nobody, and why.
func denied(err error, says string) bool {
	return status.Code(err) == codes.PermissionDenied && strings.Contains(err.Error(), says)
}

// tokenServer is a server in this process, for one cluster whose adapter has a token.
type tokenServer struct{ address, ca, log string }

func (s *scene) tokenServer(options tokens.Options) *tokenServer {
	s.Helper()
	folder := s.TempDir()
	path := func(name string) string { return filepath.Join(folder, name) }
	ca, err := authority.New("authority")
	if err == nil {
		err = errors.Join(authority.Replace(path("ca.crt"), ca.PEM()),
			ca.IssueTo(path("server"), func(c *x509.Certificate) { c.IPAddresses = []net.IP{net.IPv4(127, 0, 0, 1)} }),
			os.WriteFile(path("policy.yaml"), fmt.Appendf(nil, "clusters: [{name: home, identities: [\"TOKEN=system:serviceaccount:%s:adapter\"]}]", s.namespace), 0o600))
	}
	if err != nil {
		s.Fatal(err)
	}
	log := must(os.Create(path("log")))(s)
	planner := must(server.New(server.Config{ListenAddress: "127.0.0.1:0", Tokens: options, PolicyFile: path("policy.yaml"),
		TLS: server.TLSFiles{CertFile: path("server.crt"), KeyFile: path("server.key")}, Log: slog.New(slog.NewTextHandler(log, nil))}))(s)
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- planner.Run(ctx) }()
	s.Cleanup(func() {
		stop()
		if err := errors.Join(<-ended, log.Close()); err != nil {
			s.Error(err)
		}
	})
	return &tokenServer{planner.Addr().String(), path("ca.crt"), log.Name()}
}

// plan asks for what a planner can do, with a token.
func (p *tokenServer) plan(t *testing.T, token string) error {
	t.Helper()
	file := filepath.Join(t.TempDir(), "token")
	noError(t, os.WriteFile(file, []byte(token), 0o600))
	client, err := setplan.Dial(p.address, setplan.WithTLSFiles(p.ca, "", ""), setplan.WithTokenFile(file))
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	_, err = client.ServerInfo(context.Background())
	return err
}

func (p *tokenServer) refuses(t *testing.T, token string) error {
	if err := p.plan(t, token); !denied(err, "does not know it") {
		return fmt.Errorf("it is served: %v", err)
	}
	return nil
}

func (s *scene) account(name string) {
	s.Helper()
	must(s.client.CoreV1().ServiceAccounts(s.namespace).Create(context.Background(), &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Name: name}}, metav1.CreateOptions{}))(s)
}

// token asks the API server for one, as a kubelet does.
func (s *scene) token(account, audience string, bound *authenticationv1.BoundObjectReference) string {
	s.Helper()
	request := &authenticationv1.TokenRequest{Spec: authenticationv1.TokenRequestSpec{BoundObjectRef: bound}}
	if audience != "" {
		request.Spec.Audiences = []string{audience}
	}
	made := must(s.client.CoreV1().ServiceAccounts(s.namespace).CreateToken(context.Background(), account, request, metav1.CreateOptions{}))(s)
	return made.Status.Token
}

// minted is a token that the API server itself could have signed, with a life that it would not give; by another key if there is one.
func (s *scene) minted(account string, life time.Duration, key *ecdsa.PrivateKey) string {
	s.Helper()
	if key == nil {
		block, _ := pem.Decode([]byte(s.mustRead(filepath.Join(s.cluster.dir, s.cluster.name, "service-account.key"))))
		var err error
		if key, err = x509.ParseECPrivateKey(block.Bytes); err != nil {
			s.Fatal(err)
		}
	}
	object := must(s.client.CoreV1().ServiceAccounts(s.namespace).Get(context.Background(), account, metav1.GetOptions{}))(s)
	now := time.Now()
	claims, _ := json.Marshal(map[string]any{"iss": issuer, "aud": []string{"setplan"}, "sub": "system:serviceaccount:" + s.namespace + ":" + account,
		"iat": now.Add(-time.Hour).Unix(), "nbf": now.Add(-time.Hour).Unix(), "exp": now.Add(life).Unix(),
		"kubernetes.io": map[string]any{"namespace": s.namespace, "serviceaccount": map[string]any{"name": account, "uid": object.UID}}})
	text := base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"ES256"}`)) + "." + base64.RawURLEncoding.EncodeToString(claims)
	sum := sha256.Sum256([]byte(text))
	x, y, err := ecdsa.Sign(rand.Reader, key, sum[:])
	if err != nil {
		s.Fatal(err)
	}
	signature := make([]byte, 64)
	x.FillBytes(signature[:32])
	y.FillBytes(signature[32:])
	return text + "." + base64.RawURLEncoding.EncodeToString(signature)
}

// stranger is somebody else's key.
func stranger(t *testing.T) *ecdsa.PrivateKey {
	t.Helper()
	key := must(ecdsa.GenerateKey(elliptic.P256(), rand.Reader))(t)
	return key
}

// expiredForTheAPIServer: the API server refuses an expired token by itself, and takes the same one in its time; so what is minted here is
// what it checks.
func (s *scene) expiredForTheAPIServer(options tokens.Options) {
	s.Helper()
	reviewer := must(tokens.New(options))(s)
	claims := tokens.Claims{Subject: "system:serviceaccount:" + s.namespace + ":adapter"}
	if err := reviewer.Verify(context.Background(), s.minted("adapter", time.Hour, nil), claims, netip.IPv6Loopback()); err != nil {
		s.Errorf("in its time: %v", err)
	}
	refused := (*tokens.Refused)(nil)
	if err := reviewer.Verify(context.Background(), s.minted("adapter", -time.Hour/2, nil), claims, netip.IPv6Loopback()); !errors.As(err, &refused) {
		s.Errorf("expired: %v", err)
	}
}

// otherSpellings: the API server accepts a token with a space and anything after it, so that a planner that asked about it would take one
// token for many.
func (s *scene) otherSpellings(options tokens.Options, token string) {
	s.Helper()
	reviewer := must(tokens.New(options))(s)
	other := token + " other"
	claims := tokens.Claims{Subject: "system:serviceaccount:" + s.namespace + ":adapter"}
	if err := reviewer.Verify(context.Background(), other, claims, netip.IPv6Loopback()); err != nil {
		s.Errorf("the API server takes another spelling no more: %v", err)
	}
	if _, err := reviewer.Read(other); err == nil {
		s.Error("another spelling is read as a token")
	}
}

// mayReview lets an account ask whose a token is, and nothing else. The result is the binding's name.
func (s *scene) mayReview(account string) string {
	s.Helper()
	name := "e2e-review-" + s.namespace
	_, err := s.client.RbacV1().ClusterRoles().Create(context.Background(), &rbacv1.ClusterRole{ObjectMeta: metav1.ObjectMeta{Name: name},
		Rules: []rbacv1.PolicyRule{{APIGroups: []string{"authentication.k8s.io"}, Resources: []string{"tokenreviews"}, Verbs: []string{"create"}}}}, metav1.CreateOptions{})
	if err == nil {
		_, err = s.client.RbacV1().ClusterRoleBindings().Create(context.Background(), &rbacv1.ClusterRoleBinding{ObjectMeta: metav1.ObjectMeta{Name: name},
			RoleRef:  rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: name},
			Subjects: []rbacv1.Subject{{Kind: "ServiceAccount", Name: account, Namespace: s.namespace}}}, metav1.CreateOptions{})
	}
	if err != nil {
		s.Fatal(err)
	}
	return name
}

// credentials writes the files that a pod of the account would have.
func (s *scene) credentials(account string) string {
	s.Helper()
	config := rest.CopyConfig(s.config)
	noError(s, rest.LoadTLSFiles(config))
	folder := s.TempDir()
	for name, data := range map[string][]byte{"ca.crt": config.CAData, "token": []byte(s.token(account, "", nil))} {
		noError(s, os.WriteFile(filepath.Join(folder, name), data, 0o600))
	}
	return folder
}

// someonesPod is a pod of the account adapter.
func (s *scene) someonesPod(name string) types.UID {
	s.Helper()
	pod := must(s.client.CoreV1().Pods(s.namespace).Create(context.Background(), &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: name},
		Spec: corev1.PodSpec{ServiceAccountName: "adapter", Containers: []corev1.Container{{Name: "c", Image: "i"}}}}, metav1.CreateOptions{}))(s)
	return pod.UID
}
