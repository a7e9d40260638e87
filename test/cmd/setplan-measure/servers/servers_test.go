package servers

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"testing"

	"github.com/setplan/setplan/deploy/names"
	"github.com/setplan/setplan/server"
	"github.com/setplan/setplan/test/need"
)

func TestSpread(t *testing.T) {
	for name, row := range map[string]struct {
		rates []float64
		want  float64
	}{
		"even":         {[]float64{100, 100, 100}, 0},
		"one is alone": {[]float64{100}, 0},
		"one has none": {[]float64{0, 100}, 2},
		"a fifth":      {[]float64{90, 100, 110}, 0.2},
	} {
		if got := spread(row.rates); got != row.want {
			t.Errorf("%s: got %g, want %g", name, got, row.want)
		}
	}
}

func TestBounds(t *testing.T) {
	good, bad := asked{took: []float64{1, 2, 3}}, asked{took: []float64{1}, failed: []error{errors.New("no answer")}}
	for name, row := range map[string]struct {
		err  error
		want string
	}{
		"as much":   {atMost("ratio", 2, 2), ""},
		"more":      {atMost("ratio", 2.5, 2), "ratio: 2.50, at most 2.00"},
		"answered":  {none("quiet", good, good), ""},
		"failed":    {none("quiet", good, bad), "1 of 1 calls of quiet adapters failed: no answer"},
		"not asked": {none("quiet", asked{}), "quiet adapters had no call"},
	} {
		if got := ""; row.err != nil {
			if got = row.err.Error(); got != row.want {
				t.Errorf("%s: %s", name, got)
			}
		} else if row.want != "" {
			t.Errorf("%s: no error", name)
		}
	}
}

// TestFleet: adapters with their own certificates get empty plans from a server that requires certificates.
func TestFleet(t *testing.T) {
	ids := need.Value(issue(t.TempDir()))(t)
	s := need.Value(server.New(server.Config{ListenAddress: "127.0.0.1:0",
		TLS: server.TLSFiles{CertFile: ids.path("server.crt"), KeyFile: ids.path("server.key"), ClientCAFile: ids.path("ca.crt")}}))(t)
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error)
	go func() { ended <- s.Run(ctx) }()
	defer func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}()
	n := need.Value(names.Serve(serverName))(t)
	defer n.Close()
	at := netip.MustParseAddrPort(s.Addr().String())
	n.Set(at.Addr())
	_, port, _ := net.SplitHostPort(s.Addr().String())
	f := need.Value(newFleet(ids, n.Target(port), 0, 3, 0, 3, 10))(t)
	defer func() {
		if err := f.close(); err != nil {
			t.Error(err)
		}
	}()
	for _, a := range f {
		for _, request := range a.requests {
			response, err := a.client.Plan(ctx, request)
			if err != nil || !response.GetPlan().GetConverged() {
				t.Errorf("converged %t, %v", response.GetPlan().GetConverged(), err)
			}
		}
	}
}
