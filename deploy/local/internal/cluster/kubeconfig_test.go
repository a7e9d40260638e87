package cluster

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"math/big"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// certificate makes a self-signed certificate, which need not be useful.
func certificate(t *testing.T, serial int64, authority bool) []byte {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(serial), IsCA: authority, BasicConstraintsValid: true}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
}

func writeChain(t *testing.T, i *Instance, chain ...[]byte) {
	t.Helper()
	if err := i.makeDirs(); err != nil {
		t.Fatal(err)
	}
	path := i.path(certsDir, string(APIServer), "apiserver.crt")
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	var all []byte
	for _, c := range chain {
		all = append(all, c...)
	}
	if err := os.WriteFile(path, all, 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestWriteKubeconfigs(t *testing.T) {
	i := testInstance(t)
	authority := certificate(t, 2, true)
	writeChain(t, i, certificate(t, 1, false), authority)
	users := newUsers()
	if err := i.writeKubeconfigs(users); err != nil {
		t.Fatal(err)
	}
	for _, u := range users {
		data, err := os.ReadFile(i.path(u.kubeconfig))
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{
			"server: " + map[bool]string{false: "https://127.0.0.1:21003", true: clusterAPIServer}[u.inside] + "\n",
			"certificate-authority-data: " + base64.StdEncoding.EncodeToString(authority) + "\n",
			"token: " + u.token + "\n",
			"current-context: setplan-test\n",
		} {
			if !strings.Contains(string(data), want) {
				t.Errorf("%s: %q is missing in\n%s", u.kubeconfig, want, data)
			}
		}
	}
	if info, err := os.Stat(i.Kubeconfig()); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("kubeconfig: %v, %v, want a file that only its owner reads", info, err)
	}
}

func TestAuthorityWantsAnAuthority(t *testing.T) {
	i := testInstance(t)
	if _, err := i.authority(); err == nil {
		t.Error("no file: want an error")
	}
	writeChain(t, i)
	if _, err := i.authority(); err == nil {
		t.Error("empty file: want an error")
	}
	writeChain(t, i, certificate(t, 1, false))
	if _, err := i.authority(); err == nil {
		t.Error("a chain without an authority: want an error")
	}
}

func TestTokens(t *testing.T) {
	lines := strings.Split(strings.TrimSpace(string(tokens(newUsers()))), "\n")
	want := map[string]string{"admin": ",system:masters", "setplan-adapter": ""}
	for _, line := range lines {
		m := regexp.MustCompile(`^[0-9a-f]{32},([^,]+),[^,]+(,system:masters)?$`).FindStringSubmatch(line)
		if m == nil {
			t.Fatalf("odd line %q", line)
		}
		if group, ok := want[m[1]]; ok && group != m[2] {
			t.Errorf("%s has the groups %q, want %q", m[1], m[2], group)
		}
		delete(want, m[1])
	}
	if len(want) > 0 {
		t.Errorf("missing users: %v", want)
	}
}
