package inplace

import (
	"testing"
	"time"

	"github.com/setplan/setplan/engine/model"
	"github.com/setplan/setplan/engine/podtemplate"
)

// TestWhatAPodTakes: two containers of a pod, the second of which gets other amounts.
func TestWhatAPodTakes(t *testing.T) {
	amountsOf := func(cpu, memory string) model.Amounts { return model.Amounts{CPU: cpu, Memory: memory} }
	of := func(requests, limits model.Amounts) model.Resources {
		return model.Resources{Requests: requests, Limits: limits}
	}
	none, some, more := model.Amounts{}, amountsOf("1", "1Gi"), amountsOf("2", "2Gi")
	const lc, lm, rc, rm = 0, 1, 2, 3
	all := func(cpu, memory string) map[int]string {
		return map[int]string{lc: cpu, lm: memory, rc: cpu, rm: memory}
	}
	silent := func(c *model.PodContainers) { c.Containers[0].StatusResources = nil }
	old := func(c *model.PodContainers) { c.ObservedGeneration = 0 }
	sidecar := func(c *model.PodContainers) { c.Containers, c.Init = c.Containers[:1], c.Containers[1:] }
	stopped := func(c *model.PodContainers) {
		for i := range c.Containers {
			c.Containers[i].StartedAt, c.Containers[i].StatusResources = time.Time{}, nil
		}
	}
	for _, row := range []struct {
		reason        string
		first, second model.Resources
		changes       map[int]string
		edit          func(*model.PodContainers)
		starts, takes bool
	}{
		{"more", of(some, more), of(some, more), map[int]string{rc: "2"}, nil, false, true},
		{"Guaranteed, and stays", of(some, some), of(some, some), all("2", "3Gi"), nil, false, true},
		{"a LimitRange has made it Guaranteed", of(some, some), of(some, some), map[int]string{rc: "500m"}, nil, false, false},
		{"it would be Guaranteed, and an autoscaler has made it Burstable", of(some, some), of(amountsOf("500m", "1Gi"), some), all("2", "2Gi"), nil, false, false},
		{"the other one is Burstable anyway", of(some, more), of(amountsOf("500m", "1Gi"), some), all("2", "2Gi"), nil, false, true},
		{"a webhook has given it requests: it is no longer BestEffort", of(none, none), of(amountsOf("1", ""), none), map[int]string{rm: "1Gi"}, nil, false, true},
		{"a limit below the request that an autoscaler has set", of(some, more), of(more, more), map[int]string{lm: "1536Mi"}, nil, false, false},
		{"a limit that is the request", of(some, more), of(some, more), map[int]string{lm: "1Gi"}, nil, false, true},
		{"a request above the limit that a LimitRange has set", of(some, more), of(some, more), map[int]string{rm: "3Gi"}, nil, false, false},
		{"a request above the limit of a container that stays", of(more, some), of(some, none), map[int]string{rm: "3Gi"}, nil, false, true},
		{"a request without a limit", of(some, more), of(some, none), map[int]string{rm: "3Gi"}, nil, false, true},
		{"a fraction of a byte", of(some, more), of(some, none), map[int]string{rm: "1.3Gi"}, nil, false, false},
		{"a fraction of a byte, of a sidecar", of(some, more), of(some, none), map[int]string{rm: "1.3Gi"}, sidecar, false, false},
		{"it has a fraction of a byte, and gets cpu", of(some, more), of(amountsOf("1", "100.5"), none), map[int]string{rc: "2"}, nil, false, false},
		{"it has a fraction of a byte, and gets whole ones", of(some, more), of(amountsOf("1", "100.5"), none), map[int]string{rm: "1.5Gi"}, nil, false, true},
		{"another container has a fraction of a byte", of(amountsOf("1", "100.5"), none), of(some, none), map[int]string{rm: "2Gi"}, nil, false, true},
		{"as much cpu as a kubelet can tell of", of(some, more), of(some, none), map[int]string{rc: "256"}, nil, false, true},
		{"more cpu than that", of(some, more), of(some, none), map[int]string{rc: "256001m"}, nil, false, false},
		{"a limit of more cpu than that", of(some, more), of(some, more), map[int]string{lc: "300"}, nil, false, true},
		{"a fraction of a cpu", of(some, more), of(some, none), map[int]string{rc: "1.3"}, nil, false, true},
		{"a kubelet that does not tell of resources", of(some, more), of(some, more), map[int]string{rc: "2"}, silent, false, false},
		{"it does not run yet", of(some, more), of(some, more), map[int]string{rc: "2"}, stopped, false, true},
		{"less memory", of(some, more), of(some, more), map[int]string{lm: "1536Mi"}, nil, false, true},
		{"less memory, and an old kubelet", of(some, more), of(some, more), map[int]string{lm: "1536Mi"}, old, false, false},
		{"less memory, and an old kubelet, and it starts again", of(some, more), of(some, more), map[int]string{lm: "1536Mi"}, old, true, true},
		{"a smaller request, and an old kubelet", of(some, more), of(more, more), map[int]string{rm: "1Gi"}, old, false, true},
		{"more memory, and an old kubelet", of(some, more), of(some, more), map[int]string{lm: "3Gi"}, old, false, true},
		{"less memory, and no kubelet yet", of(some, more), of(some, more), map[int]string{lm: "1536Mi"}, func(c *model.PodContainers) { old(c); stopped(c) }, false, true},
	} {
		c := model.PodContainers{Generation: 1, ObservedGeneration: 1, Containers: []model.Container{
			{Name: "log", StartedAt: noon, Resources: row.first, StatusResources: &row.first},
			{Name: "web", StartedAt: noon, Resources: row.second, StatusResources: &row.second}}}
		if row.edit != nil {
			row.edit(&c)
		}
		changes := podtemplate.Amounts{}
		for key, quantity := range row.changes {
			changes[podtemplate.Amount{Container: "web", Key: key}] = quantity
		}
		if takes := takesAmounts(&c, changes, row.starts); takes != row.takes {
			t.Errorf("%s: takes it: %t", row.reason, takes)
		}
	}
}
