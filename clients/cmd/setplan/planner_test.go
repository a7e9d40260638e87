package main

import (
	"encoding/pem"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestPlannerProtection: if only one side speaks TLS, the error names the flag that helps, without gRPC's words.
func TestPlannerProtection(t *testing.T) {
	t.Parallel()
	withTLS := httptest.NewTLSServer(nil)
	defer withTLS.Close()
	authority := authorityOf(t, withTLS)
	plaintext, stop := plannerAt(t, "127.0.0.1:0")
	defer stop()
	for name, test := range map[string]struct {
		address string
		flags   []string
		want    string
	}{
		"TLS to plaintext": {plaintext, []string{"--planner-ca-file", authority}, "(if it does not use TLS: --planner-insecure)\n"},
		"plaintext to TLS": {withTLS.Listener.Addr().String(), nil, "(if it uses TLS: --planner-ca-file; if it requires a client certificate: --planner-cert-file)\n"},
	} {
		text, err := piped(t, append(test.flags, "plan", "calm", "-f", stuck, "--planner-address", test.address)...).end()
		if err == nil || !strings.Contains(text, "default/calm: the planner "+test.address+" cannot be reached: ") ||
			!strings.HasSuffix(text, test.want) || strings.Contains(text, "rpc error") {
			t.Errorf("%s: %v, want %q:\n%s", name, err, test.want, text)
		}
	}
}

// authorityOf is a file with a server's certificate.
func authorityOf(t *testing.T, server *httptest.Server) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "ca.pem")
	block := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	if err := os.WriteFile(file, block, 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}
