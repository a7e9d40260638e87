package server

import (
	"crypto/x509"
	"encoding/pem"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// expiry says until when the certificates in the files are good.
type expiry struct {
	server    time.Time
	clientCAs time.Time // the first that ends; zero: there are none
}

// watchExpiry registers the metrics of the certificates in use. A reload shows in them.
func (c *certificates) watchExpiry(registerer prometheus.Registerer) {
	of := prometheus.NewDesc("setplan_server_certificate_expiry_timestamp_seconds",
		"When a certificate in use expires, in seconds since 1970: server, or client-ca (the first of them).", []string{"certificate"}, nil)
	registerer.MustRegister(expiryMetrics{c, of})
}

type expiryMetrics struct {
	of   *certificates
	desc *prometheus.Desc
}

// Describe implements prometheus.Collector.
func (m expiryMetrics) Describe(to chan<- *prometheus.Desc) { to <- m.desc }

// Collect implements prometheus.Collector.
func (m expiryMetrics) Collect(to chan<- prometheus.Metric) {
	e := m.of.expiry.Load()
	if e == nil {
		return
	}
	for name, at := range map[string]time.Time{"server": e.server, "client-ca": e.clientCAs} {
		if !at.IsZero() {
			to <- prometheus.MustNewConstMetric(m.desc, prometheus.GaugeValue, float64(at.Unix()), name)
		}
	}
}

// firstEnd is when the first of these certificates expires.
func firstEnd(pemBytes []byte) (first time.Time) {
	for block, rest := pem.Decode(pemBytes); block != nil; block, rest = pem.Decode(rest) {
		certificate, err := x509.ParseCertificate(block.Bytes)
		if err == nil && (first.IsZero() || certificate.NotAfter.Before(first)) {
			first = certificate.NotAfter
		}
	}
	return first
}
