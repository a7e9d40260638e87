package cluster

import (
	"slices"
	"strings"
	"testing"
)

func testInstance(t *testing.T) *Instance {
	t.Helper()
	return &Instance{dir: t.TempDir(), Settings: Settings{
		Name:   "test",
		BinDir: "/bin",
		Nodes:  2,
		Ports:  Ports{21001, 21002, 21003, 21004, 21005, 21006, 21007},
	}}
}

func TestEverythingListensOnLoopback(t *testing.T) {
	i := testInstance(t)
	want := map[Component]string{
		Etcd:              "--listen-client-urls=http://127.0.0.1:21001",
		APIServer:         "--bind-address=127.0.0.1",
		ControllerManager: "--bind-address=127.0.0.1",
		Scheduler:         "--bind-address=127.0.0.1",
		Kwok:              "--server-address=127.0.0.1:21006",

		StatefulSetController: "--bind-address=127.0.0.1",
	}
	for _, c := range Components {
		if !slices.Contains(i.args(c), want[c]) {
			t.Errorf("%s: %s is not in %q", c, want[c], i.args(c))
		}
	}
}

func TestOptionalArgs(t *testing.T) {
	for _, given := range []bool{false, true} {
		i := testInstance(t)
		i.Audit = given
		if given {
			i.FeatureGates = "MaxUnavailableStatefulSet=true"
		}
		for _, c := range Components {
			line := strings.Join(i.args(c), " ")
			if got, want := strings.Contains(line, "--audit-"), given && c == APIServer; got != want {
				t.Errorf("given %t, %s: audit flags %t, want %t", given, c, got, want)
			}
			gated := c == APIServer || c == ControllerManager || c == StatefulSetController
			if got, want := strings.Contains(line, "--feature-gates=MaxUn"), given && gated; got != want {
				t.Errorf("given %t, %s: feature gates %t, want %t", given, c, got, want)
			}
		}
	}
}

func TestParseComponent(t *testing.T) {
	for name, want := range map[string]Component{
		"etcd": Etcd, "apiserver": APIServer, "kube-apiserver": APIServer, "kwok": Kwok,
		"controller-manager": ControllerManager, "kube-scheduler": Scheduler,
	} {
		if got, err := ParseComponent(name); got != want || err != nil {
			t.Errorf("%q: got %q, %v, want %q", name, got, err, want)
		}
	}
	if got, err := ParseComponent("kubelet"); err == nil {
		t.Errorf("kubelet: got %q, want an error", got)
	}
}
