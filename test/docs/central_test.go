package docs

import (
	"context"
	"crypto/x509"
	"io"
	"log/slog"
	"net/http"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/setplan/setplan/deploy/authority"
	"github.com/setplan/setplan/server"
	"github.com/setplan/setplan/test/need"
)

// TestAlerts: each alert of central.md is about a metric that there is, and fires for what expires within a week. The alerts have one form, which is
// computed here: no library of Prometheus, with the hundred modules that it needs, is built for three words of its language.
func TestAlerts(t *testing.T) {
	var file struct {
		Groups []struct {
			Name  string
			Rules []struct {
				Alert, Expr         string
				Labels, Annotations map[string]string
			}
		}
	}
	decoder := yaml.NewDecoder(strings.NewReader(fence(t, page(t, "central.md"), "yaml", 1)))
	decoder.KnownFields(true)
	need.NoError(t, decoder.Decode(&file))
	if len(file.Groups) != 1 || len(file.Groups[0].Rules) != 2 {
		t.Fatalf("the alerts are %+v", file)
	}
	form := regexp.MustCompile(`^(\w+) - time\(\) < (\d+) \* 86400$`)
	for _, rule := range file.Groups[0].Rules {
		parts := form.FindStringSubmatch(rule.Expr)
		if parts == nil || rule.Alert == "" || !strings.Contains(rule.Annotations["summary"], "{{ $labels.certificate }}") {
			t.Errorf("%+v has another form", rule)
			continue
		}
		if !strings.Contains(page(t, "metrics.md"), "| `"+parts[1]+"` | `certificate` |") {
			t.Errorf("%s: metrics.md has no %s with the label certificate", rule.Alert, parts[1])
		}
		if parts[1] != "setplan_server_certificate_expiry_timestamp_seconds" {
			continue // TestExpiry of the adapter shows that its metric is such a time
		}
		days, _ := strconv.Atoi(parts[2])
		for left, fires := range map[time.Duration]bool{6: true, 8: false, -1: true} {
			value := served(t, left*24*time.Hour, parts[1]+`{certificate="server"}`)
			if got := value-float64(time.Now().Unix()) < float64(days)*86400; got != fires {
				t.Errorf("%s: with %d days left it fires: %v", rule.Alert, left, got)
			}
		}
	}
}

// served is the value of a metric of a real server whose certificate has so long to live.
func served(t *testing.T, left time.Duration, series string) float64 {
	t.Helper()
	name := filepath.Join(t.TempDir(), "tls")
	ca, err := authority.New("authority")
	if err == nil {
		err = ca.IssueTo(name, func(c *x509.Certificate) {
			c.NotBefore, c.NotAfter = time.Now().Add(-100*24*time.Hour), time.Now().Add(left)
		})
	}
	if err != nil {
		t.Fatal(err)
	}
	s := need.Value(server.New(server.Config{ListenAddress: "127.0.0.1:0", MetricsAddress: "127.0.0.1:0", Log: slog.New(slog.DiscardHandler),
		TLS: server.TLSFiles{CertFile: name + ".crt", KeyFile: name + ".key"}}))(t)
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.Run(ctx) }()
	defer func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}()
	answer := need.Value(http.Get("http://" + s.MetricsAddr().String() + "/metrics"))(t)
	defer answer.Body.Close()
	body := need.Value(io.ReadAll(answer.Body))(t)
	for line := range strings.Lines(string(body)) {
		if text, found := strings.CutPrefix(line, series+" "); found {
			value := need.Value(strconv.ParseFloat(strings.TrimSpace(text), 64))(t)
			return value
		}
	}
	t.Fatalf("the server has no %s", series)
	return 0
}
