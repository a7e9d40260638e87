//go:build e2e

package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"

	"github.com/setplan/setplan/adapters"
	"github.com/setplan/setplan/adapters/kube"
)

// TestAliasBomb: an annotation whose aliases expand to far more than its text is refused with the reason and costs hardly any
// memory. A neighbour settles meanwhile.
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
		"bomb55":  {55 << 10, "line 2: it has the anchor &a; anchors are not supported"},
		"bomb256": {255 << 10, "YAML may have at most 65536"},
	} {
		began := time.Now()
		s.create(webSet(name, 1, withoutClaims, func(set *appsv1.StatefulSet) {
			set.Annotations = map[string]string{adapters.AnnotationDrainTemplate: "metadata:\n  name: &a " +
				strings.Repeat("x", bomb.size/2) + "\nspec:\n  x: [" + strings.Repeat("*a,", bomb.size/6-20) + "*a]\n"}
		}))
		stored := time.Since(began)
		s.create(webSet("neighbour-of-"+name, 3, withoutClaims))
		block := a.saysOf(name, bomb.why, began)
		eventually(s, 30*time.Second, name+" is refused", func() error {
			for _, c := range s.get(name).Status.Conditions {
				if c.Reason == "InvalidPolicy" && strings.Contains(c.Message, bomb.why) {
					return nil
				}
			}
			return fmt.Errorf("its conditions are %.2000v", s.get(name).Status.Conditions)
		})
		t.Logf("%s: stored after %v, refused with a block after %v; in the status, after the writes for its pod, after %v", name,
			stored.Round(time.Millisecond), block.Round(time.Millisecond), time.Since(began).Round(time.Millisecond))
		s.settled("neighbour-of-" + name)
	}
	after := a.resident()
	t.Logf("the adapter had at most %d MiB before the annotations, and %d MiB after them", before>>20, after>>20)
	if after > before+64<<20 || after > 256<<20 {
		t.Errorf("the adapter had at most %d MiB, and %d MiB before the annotations", after>>20, before>>20)
	}
}

// saysOf returns how long after since the adapter first shows a block of the set whose message contains why. It asks often,
// because it measures the adapter.
func (a *adapter) saysOf(set, why string, since time.Time) time.Duration {
	a.scene.Helper()
	for deadline := since.Add(30 * time.Second * busy); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		var plans []kube.PlanSummary
		if err := json.Unmarshal([]byte(a.fetch("/plans")), &plans); err != nil {
			a.scene.Fatal(err)
		}
		for _, plan := range plans {
			for _, block := range plan.Blocks {
				if strings.HasSuffix(plan.Set, "/"+set) && strings.Contains(block.Message, why) {
					return time.Since(since)
				}
			}
		}
	}
	a.scene.Fatalf("the adapter shows no such block of %s", set)
	return 0
}

// resident is the most memory that the adapter ever had, VmHWM of proc_pid_status(5), in bytes.
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
