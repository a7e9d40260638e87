package main

import (
	"crypto/x509"
	"encoding/pem"
	"os"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/setplan/setplan/clients/plannerflags"
)

// expiryMetrics say until when the files are good by which this adapter and a remote planner know each other. They are read at each scrape, as
// the client reads them at each handshake; while a file cannot be read, what was in it last is in use.
type expiryMetrics struct {
	files map[string]string // by the value of the label
	desc  *prometheus.Desc

	mu    sync.Mutex
	known map[string]time.Time
}

// watchExpiry registers the metrics of the files that there are.
func watchExpiry(f *plannerflags.Flags, registerer prometheus.Registerer) {
	registerer.MustRegister(&expiryMetrics{
		files: map[string]string{"client": f.CertFile, "planner-ca": f.CAFile},
		desc: prometheus.NewDesc("setplan_adapter_certificate_expiry_timestamp_seconds",
			"When a certificate file of the connection to the planner expires, in seconds since 1970: client, or planner-ca (the first certificate in it that does).",
			[]string{"certificate"}, nil),
		known: map[string]time.Time{},
	})
}

// Describe implements prometheus.Collector.
func (m *expiryMetrics) Describe(to chan<- *prometheus.Desc) { to <- m.desc }

// Collect implements prometheus.Collector.
func (m *expiryMetrics) Collect(to chan<- prometheus.Metric) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for name, path := range m.files {
		if path == "" {
			continue
		}
		data, err := os.ReadFile(path)
		if at := firstEnd(data); err == nil && !at.IsZero() {
			m.known[name] = at
		}
		if at, ok := m.known[name]; ok {
			to <- prometheus.MustNewConstMetric(m.desc, prometheus.GaugeValue, float64(at.Unix()), name)
		}
	}
}

// firstEnd is when the first of these certificates expires; zero: there are none.
func firstEnd(data []byte) (first time.Time) {
	for block, rest := pem.Decode(data); block != nil; block, rest = pem.Decode(rest) {
		certificate, err := x509.ParseCertificate(block.Bytes)
		if err == nil && (first.IsZero() || certificate.NotAfter.Before(first)) {
			first = certificate.NotAfter
		}
	}
	return first
}
