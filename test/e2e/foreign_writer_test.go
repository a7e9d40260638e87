//go:build e2e

package e2e

import (
	"fmt"
	"strings"
	"syscall"
	"time"
)

// foreignWriter lets the built-in controller write a set that the adapter runs. The adapter leaves that set alone, says so, and
// works on the others, until a user gives the set back.
func (s *scene) foreignWriter(a *adapter) {
	s.Helper()
	// The adapter is stopped meanwhile, so that the built-in controller sees the change first.
	if err := a.cmd.Process.Signal(syscall.SIGSTOP); err != nil {
		s.Fatal(err)
	}
	s.builtIn(s, "on")
	s.scale("parallel", 4)
	s.settled("parallel")
	if err := a.cmd.Process.Signal(syscall.SIGCONT); err != nil {
		s.Fatal(err)
	}
	a.becomes(`setplan_adapter_sets{state="foreign writer"}`, 1)
	before := len(s.actsOn("parallel"))
	uid := s.get("parallel").UID
	if n := s.warned(uid, "ForeignWriter", "kube-controller-manager"); n != 1 {
		s.Errorf("the event occurred %d times, want once", n)
	}
	s.scale("parallel", 5)
	s.settled("parallel")

	s.builtIn(s, "off")
	s.scale("parallel", 3)
	s.scale("ordered", 3)
	s.settled("ordered")
	time.Sleep(2 * time.Second)
	if acts := s.actsOn("parallel"); len(acts) > before {
		s.Errorf("the built-in controller's set was written: %s", strings.Join(acts[before:], ", "))
	}
	a.becomes(`setplan_adapter_sets{state="converged"}`, float64(len(lives())-1))

	s.patch("parallel", fmt.Sprintf(`{"metadata":{"annotations":{"setplan.io/taken-over-at":%q}}}`, time.Now().UTC().Format(time.RFC3339)))
	s.settled("parallel")
	a.becomes(`setplan_adapter_sets{state="foreign writer"}`, 0)
	if len(s.actsOn("parallel")) == before {
		s.Error("the adapter has not written the set since it was given back")
	}
}

// actsOn are the writes of the scene's adapters to a set and its pods.
func (s *scene) actsOn(set string) []string {
	s.Helper()
	var acts []string
	for _, act := range s.acts() {
		if strings.Contains(act, " "+set) {
			acts = append(acts, act)
		}
	}
	return acts
}
