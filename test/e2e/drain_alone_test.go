//go:build e2e

package e2e

import (
	"strings"
	"testing"
)

// TestDrainAlone: a drain beside the built-in controller, with the permissions of the manifests and no others.
func TestDrainAlone(t *testing.T) {
	t.Parallel()
	c := ownCluster(t, "drain", "on")
	adapter := permitted(t, c, append(adapterRights, "ClusterRole/drain"), "--mode", "drain", "--metrics-address", "127.0.0.1:0")
	t.Run("cases", func(t *testing.T) {
		for name, test := range aloneCases {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				s := newScene(t, c)
				s.plans = adapter
				test(s)
			})
		}
	})
	adapter.stop()
	t.Run("permissions", func(t *testing.T) { alonePermissions(t, c) })
}

// alonePermissions checks that no permission was missing (the original controller's manifests lacked some, its bug 11) and that
// nothing was done that belongs to the built-in controller.
func alonePermissions(t *testing.T, c *cluster) {
	used := c.used(t)
	for what := range used {
		writes := !strings.HasPrefix(what, "get ") && !strings.HasPrefix(what, "list ") && !strings.HasPrefix(what, "watch ")
		if strings.Contains(what, "statefulsets/status") || strings.HasSuffix(what, "controllerrevisions") && writes {
			t.Errorf("%s is not ours beside the built-in controller", what)
		}
	}
	for _, needed := range []string{"create pods", "delete pods", "patch persistentvolumeclaims", "delete persistentvolumeclaims", "patch statefulsets"} {
		if !used[needed] {
			t.Errorf("%q was never used", needed)
		}
	}
}
