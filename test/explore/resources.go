package explore

import (
	"fmt"
	"slices"

	"github.com/setplan/setplan/engine/model"
)

// Resources in place: the kubelet gives them to the container while it runs, or says that its node has no room.

// ResourceConfigs are both management policies of sets whose pods get other resources in place, and of those that recreate a pod only where nothing else is
// possible. Template B is A with another request; pods of C have to be recreated.
func ResourceConfigs(bounds Bounds) []Config { return withInside(bounds, ofResources) }

// answer is what a node says of resources that a container does not have.
type answer uint8

const (
	granted answer = iota // nothing: they come, or are there
	deferred
	infeasible
)

func (a answer) String() string { return [...]string{"", "Deferred", "Infeasible"}[a] }

// resourceSteps: a kubelet gives what it knows of, or says that there is no room. There may be some after all.
func (w *world) resourceSteps(p pod, faults bool, step func(string, cost, func(*pod))) {
	in := p.inside
	if in.late || in.has == in.asks {
		return
	}
	gives := func(p *pod) { p.inside.has, p.inside.answer = p.inside.asks, granted }
	says := func(a answer) func(*pod) { return func(p *pod) { p.inside.answer = a } }
	switch in.answer {
	case granted:
		step("gets its resources: pod", benign, gives)
		if faults {
			step("its node has no room now: pod", fault, says(deferred))
			step("its node never has room: pod", fault, says(infeasible))
		}
	case deferred:
		step("its node has room after all: pod", repair, gives)
	}
}

// cpuOf is what the container of a revision asks for.
func cpuOf(r revision) string { return fmt.Sprint(min(int(r), int(changedRevision))) }

// resourcesOf is the same as in a template; nothing where no search changes it.
func (config *Config) resourcesOf(r revision) string {
	if config.Inside != ofResources {
		return ""
	}
	return `,"resources":{"requests":{"cpu":"` + cpuOf(r) + `"}}`
}

// commandOf is what pods of C differ in where resources change in place: it requires a new pod.
func (config *Config) commandOf(r revision) string {
	if config.Inside != ofResources || r != badRevision {
		return ""
	}
	return `"command":["C"],`
}

// readResources translates the resources that a pod is to ask for.
func readResources(w *write, a *model.Action, op model.ResizePod) error {
	w.op, w.inside.resizes = updatePod, true
	for r := revision(1); r <= changedRevision; r++ {
		if slices.Equal(op.Containers, []model.ContainerResize{{Name: "web", Resources: amounts(r)}}) {
			w.rev = r
			return nil
		}
	}
	return fmt.Errorf("%s asks for %v", a.ID, op.Containers)
}

func amounts(r revision) model.Resources {
	return model.Resources{Requests: model.Amounts{CPU: cpuOf(r)}}
}

// isRefused reports whether a block tells the truth about a pod whose node has no room for what it asks for.
func (s *search) isRefused(c *cluster, b *model.Block) bool {
	i := slices.Index(s.planner.scribe.podNames[:], b.Name)
	if i < 0 {
		return false
	}
	said := map[model.BlockCode]answer{model.BlockResizeDeferred: deferred, model.BlockResizeInfeasible: infeasible}[b.Code]
	return said != granted && c.pods[i].inside.answer == said
}
