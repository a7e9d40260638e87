package testbed

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"

	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
	"k8s.io/client-go/rest"
)

// adapterLooked reads the adapter's metrics: it has a plan for each set, and no set waits for a worker. Before the metrics page
// is served, it has looked at nothing.
func adapterLooked(ctx context.Context, adapter *Process, sets int) bool {
	line, err := firstLine(adapter.log, `"msg":"serving metrics"`)
	var serving struct{ Address string }
	if err != nil || json.Unmarshal([]byte(line), &serving) != nil {
		return false
	}
	m, err := readMetrics(ctx, http.DefaultClient, "http://"+serving.Address+"/metrics")
	return err == nil && m.sum("setplan_adapter_sets") >= float64(sets) && m.idle()
}

// builtinLooked reads the controller manager's metrics: this many sets were handled, and none waits.
func (p *ControlPlane) builtinLooked(ctx context.Context, sets int) bool {
	m, err := p.managerMetrics(ctx)
	return err == nil && m.sum("workqueue_work_duration_seconds") >= float64(sets) && m.idle()
}

func (p *ControlPlane) managerMetrics(ctx context.Context) (metrics, error) {
	ports, err := p.ports()
	if err != nil {
		return nil, err
	}
	// The controller manager's certificate is self-signed, on loopback.
	config := &rest.Config{BearerToken: p.config.BearerToken, TLSClientConfig: rest.TLSClientConfig{Insecure: true}}
	client, err := rest.HTTPClientFor(config)
	if err != nil {
		return nil, err
	}
	return readMetrics(ctx, client, fmt.Sprintf("https://127.0.0.1:%d/metrics", ports.StatefulSetController))
}

// metrics is the metrics page of a process.
type metrics map[string]*dto.MetricFamily

func readMetrics(ctx context.Context, client *http.Client, url string) (metrics, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	answer, err := client.Do(request)
	if err != nil {
		return nil, err
	}
	defer func() { _ = answer.Body.Close() }()
	if answer.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s: %s", url, answer.Status)
	}
	return parseMetrics(answer.Body)
}

func parseMetrics(page io.Reader) (metrics, error) {
	parser := expfmt.NewTextParser(model.UTF8Validation)
	return parser.TextToMetricFamilies(page)
}

// idle reports whether no set waits for a worker or is being worked on. Both sides call their queue "statefulset".
func (m metrics) idle() bool {
	return m["workqueue_depth"] != nil && m.sum("workqueue_depth") == 0 && m.sum("workqueue_unfinished_work_seconds") == 0
}

// sum adds up a metric's series, the counts of a histogram; of a queue's metrics only those of the queue of sets.
func (m metrics) sum(name string) (sum float64) {
	for _, series := range m[name].GetMetric() {
		if of := label(series, "name"); of != "" && of != "statefulset" {
			continue
		}
		sum += series.GetGauge().GetValue() + series.GetCounter().GetValue() + float64(series.GetHistogram().GetSampleCount())
	}
	return sum
}

func label(of *dto.Metric, name string) string {
	for _, l := range of.GetLabel() {
		if l.GetName() == name {
			return l.GetValue()
		}
	}
	return ""
}
