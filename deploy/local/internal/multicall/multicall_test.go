package multicall

import (
	"slices"
	"testing"
)

func TestPick(t *testing.T) {
	programs := Programs{"etcd": func() int { return 1 }, "kubectl": func() int { return 2 }}
	for _, tc := range []struct {
		args, seen []string
		code       int
	}{
		{[]string{"/some/bin/kubectl", "get", "etcd"}, []string{"/some/bin/kubectl", "get", "etcd"}, 2},
		{[]string{"controlplane", "etcd", "--version"}, []string{"etcd", "--version"}, 1},
		{[]string{"controlplane", "kubelet"}, nil, 0},
		{[]string{"controlplane"}, nil, 0},
		{nil, nil, 0},
	} {
		run, seen, ok := programs.Pick(tc.args)
		if ok != (tc.code != 0) {
			t.Errorf("%q: found %t", tc.args, ok)
			continue
		}
		if ok && (run() != tc.code || !slices.Equal(seen, tc.seen)) {
			t.Errorf("%q: program %d with %q, want %d with %q", tc.args, run(), seen, tc.code, tc.seen)
		}
	}
	if got := programs.String(); got != "etcd, kubectl" {
		t.Errorf("names: %q", got)
	}
}
