package setplan_test

import (
	"crypto/tls"
	"os"
	"path/filepath"
	"strings"
	"testing"

	setplan "github.com/setplan/setplan/clients/go"
)

// TestTokenFile: a token is never sent in plaintext or to whoever answers, and a file that has none is found at the start. That it is sent over TLS, and read
// again, is shown by the server's tests.
func TestTokenFile(t *testing.T) {
	file := func(content string) string {
		name := filepath.Join(t.TempDir(), "token")
		if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	encrypted := setplan.WithTLSFiles("", "", "")
	unverified := setplan.WithTLSConfig(&tls.Config{InsecureSkipVerify: true})
	for want, options := range map[string][]setplan.Option{
		"anybody could answer": {unverified, setplan.WithTokenFile(file("canary"))},
		"anybody on the way":   {setplan.WithInsecure(), setplan.WithTokenFile(file("canary"))},
		"/nowhere":             {encrypted, setplan.WithTokenFile("/nowhere")},
		"is empty":             {encrypted, setplan.WithTokenFile(file("\n"))},
		"more than one":        {encrypted, setplan.WithTokenFile(file("canary\ncanary"))},
	} {
		if _, err := setplan.Dial("localhost:1", options...); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "canary") {
			t.Errorf("%v, want %q", err, want)
		}
	}
	verified := setplan.WithTLSConfig(&tls.Config{InsecureSkipVerify: true, VerifyConnection: func(tls.ConnectionState) error { return nil }})
	for _, options := range [][]setplan.Option{{encrypted, setplan.WithTokenFile(file("canary\n"))}, {verified, setplan.WithTokenFile(file("canary"))}, {unverified}} {
		client, err := setplan.Dial("localhost:1", options...)
		if err != nil {
			t.Fatal(err)
		}
		if err := client.Close(); err != nil {
			t.Error(err)
		}
	}
}
