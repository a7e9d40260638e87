//go:build e2e

package e2e

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"

	"github.com/setplan/setplan/adapters"
)

// TestAliasBomb: an annotation that means far more than it says is refused with the reason, costs no memory to speak of, and
// a neighbour settles meanwhile.
func TestAliasBomb(t *testing.T) {
	t.Parallel()
	s := lab(t)
	a := s.ownAdapter("adapter", s.adapterConfig("adapter", ""), nil, unelected...)
	s.create(webSet("web", 3, withoutClaims))
	s.settled("web")
	before := a.resident()

	for name, bomb := range map[string]struct {
		size int
		why  string
	}{
		"bomb55":  {55 << 10, "line 2: it has the anchor &a; write out what aliases stand for"},
		"bomb256": {255 << 10, "and YAML may have 65536"},
	} {
		began := time.Now()
		started := began
		s.create(webSet(name, 1, withoutClaims, func(set *appsv1.StatefulSet) {
			set.Annotations = map[string]string{adapters.AnnotationDrainTemplate: "metadata:\n  name: &a " +
				strings.Repeat("x", bomb.size/2) + "\nspec:\n  x: [" + strings.Repeat("*a,", bomb.size/6-20) + "*a]\n"}
		}))
		t.Logf("%s was stored after %v", name, time.Since(began).Round(time.Millisecond))
		began = time.Now()
		s.create(webSet("neighbour-of-"+name, 3, withoutClaims))
		t.Logf("its neighbour was stored after %v more", time.Since(began).Round(time.Millisecond))
		eventually(s, 30*time.Second, name+" is refused", func() error {
			for _, c := range s.get(name).Status.Conditions {
				if c.Reason == "InvalidPolicy" && strings.Contains(c.Message, bomb.why) {
					return nil
				}
			}
			return fmt.Errorf("its conditions are %.2000v", s.get(name).Status.Conditions)
		})
		t.Logf("%s was refused after %v", name, time.Since(started).Round(10*time.Millisecond))
		t.Logf("the log:\n%s", a.tail())
		s.settled("neighbour-of-" + name)
	}
	if after := a.resident(); after > before+64<<20 {
		t.Errorf("the adapter has %d MiB, and had %d before", after>>20, before>>20)
	}
}

// resident is the most memory that the adapter has had, VmHWM of proc_pid_status(5), in bytes.
func (a *adapter) resident() int64 {
	a.scene.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", a.cmd.Process.Pid))
	if err != nil {
		a.scene.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), "VmHWM:")
	var kilobytes int64
	if _, err := fmt.Sscan(rest, &kilobytes); err != nil {
		a.scene.Fatal(err)
	}
	return kilobytes << 10
}
