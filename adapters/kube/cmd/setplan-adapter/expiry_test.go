package main

import (
	"bytes"
	"crypto/x509"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/client_golang/prometheus"

	"github.com/setplan/setplan/clients/plannerflags"
	"github.com/setplan/setplan/deploy/authority"
)

// TestExpiry: the gauges follow the files, tell the first end in each, and keep what was last in a file that cannot be read.
func TestExpiry(t *testing.T) {
	folder := t.TempDir()
	f := &plannerflags.Flags{CAFile: filepath.Join(folder, "ca.crt"), CertFile: filepath.Join(folder, "tls.crt"), KeyFile: filepath.Join(folder, "tls.key")}
	ca, err := authority.New("authority")
	if err != nil {
		t.Fatal(err)
	}
	soon := time.Now().Add(time.Hour).Truncate(time.Second)
	until := func(at time.Time) []byte {
		certificate, _, err := ca.Issue(func(c *x509.Certificate) { c.NotAfter = at })
		if err != nil {
			t.Fatal(err)
		}
		return certificate
	}
	write := func(path string, data []byte) {
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(f.CAFile, bytes.Join([][]byte{until(soon.Add(3 * time.Hour)), until(soon.Add(time.Hour)), until(soon.Add(2 * time.Hour))}, nil))
	registry := prometheus.NewRegistry()
	watchExpiry(f, registry)
	told := func(want map[string]time.Time) {
		t.Helper()
		families, err := registry.Gather()
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]time.Time{}
		for _, family := range families {
			for _, metric := range family.Metric {
				got[metric.Label[0].GetValue()] = time.Unix(int64(metric.Gauge.GetValue()), 0)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	}
	told(map[string]time.Time{"planner-ca": soon.Add(time.Hour)})
	write(f.CertFile, until(soon))
	told(map[string]time.Time{"planner-ca": soon.Add(time.Hour), "client": soon})
	write(f.CertFile, until(soon.Add(5*time.Hour))) // it is rotated
	write(f.CAFile, []byte("half a file"))
	told(map[string]time.Time{"planner-ca": soon.Add(time.Hour), "client": soon.Add(5 * time.Hour)})
}
