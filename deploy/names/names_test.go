package names

import (
	"context"
	"net"
	"net/netip"
	"slices"
	"strings"
	"testing"
)

// TestNames: an ordinary resolver finds the current addresses.
func TestNames(t *testing.T) {
	s, err := Serve("planner.example")
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if target := s.Target("7450"); !strings.HasPrefix(target, "dns://127.0.0.1:") || !strings.HasSuffix(target, "/planner.example:7450") {
		t.Errorf("the target is %s", target)
	}
	resolver := &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		var d net.Dialer
		return d.DialContext(ctx, "udp", s.Address())
	}}
	for _, want := range [][]string{{"127.0.0.2"}, {"127.0.0.3", "127.0.0.4"}} {
		var addresses []netip.Addr
		for _, text := range want {
			addresses = append(addresses, netip.MustParseAddr(text))
		}
		s.Set(addresses...)
		got, err := resolver.LookupHost(t.Context(), "planner.example")
		if slices.Sort(got); err != nil || !slices.Equal(got, want) {
			t.Errorf("got %v, %v, want %v", got, err, want)
		}
	}
}
