package plannerflags

import (
	"os"
	"path/filepath"
	"testing"
)

// TestLoopback: only connections that cannot leave the machine are plaintext by default.
func TestLoopback(t *testing.T) {
	for address, want := range map[string]bool{
		"127.0.0.1:1": true, "[::1]:1": true, "localhost:1": true, "127.9.9.9:1": true,
		"0.0.0.0:1": false, "10.0.0.1:1": false, "planner:1": false, "localhost.example.com:1": false, "127.0.0.1": false,
		"dns://127.0.0.1:53/planner:1": false, "dns:///127.0.0.1:1": false,
	} {
		if got := isLoopback(address); got != want {
			t.Errorf("%s: %v", address, got)
		}
	}
}

// TestCheck: contradicting flags are a mistake, and the message names both.
func TestCheck(t *testing.T) {
	tests := map[string]struct {
		flags Flags
		good  bool
	}{
		"none":                     {Flags{}, true},
		"plain":                    {Flags{Address: "planner:7450"}, true},
		"no port":                  {Flags{Address: "planner"}, false},
		"a name server":            {Flags{Address: "dns://10.0.0.10:53/planner:7450"}, true},
		"the system's name server": {Flags{Address: "dns:///planner:7450"}, true},
		"a name server alone":      {Flags{Address: "dns://10.0.0.10:53"}, false},
		"a name without port":      {Flags{Address: "dns://10.0.0.10:53/planner"}, false},
		"a name server with user":  {Flags{Address: "dns://user@10.0.0.10:53/planner:7450"}, false},
		"a path behind the name":   {Flags{Address: "dns:///planner:7450/x:1"}, false},
		"a socket":                 {Flags{Address: "unix:///run/planner:1"}, false},
		"an address as it is":      {Flags{Address: "passthrough:///planner:7450"}, false},
		"files without an address": {Flags{CAFile: "ca.pem"}, false},
		"certificate without key":  {Flags{Address: "planner:7450", CertFile: "tls.crt"}, false},
		"a token":                  {Flags{Address: "planner:7450", TokenFile: "token"}, true},
		"a token in plaintext":     {Flags{Address: "planner:7450", TokenFile: "token", Insecure: true}, false},
		"insecure with a file":     {Flags{Address: "planner:7450", CAFile: "ca.pem", Insecure: true}, false},
	}
	for name, test := range tests {
		if err := test.flags.Check(); (err == nil) != test.good {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestTokenIsEncrypted: a token on this machine means TLS too.
func TestTokenIsEncrypted(t *testing.T) {
	token := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(token, []byte("t"), 0o600); err != nil {
		t.Fatal(err)
	}
	f := Flags{Address: "127.0.0.1:1", TokenFile: token}
	client, err := f.Dial("test") // in plaintext that is an error
	if err != nil {
		t.Fatal(err)
	}
	if err := client.Close(); err != nil {
		t.Error(err)
	}
}
